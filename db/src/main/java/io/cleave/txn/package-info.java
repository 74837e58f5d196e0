/// Snapshots, optimistic locks and the commit across tablets.
///
/// [io.cleave.txn.Transaction] is what a query sees. [io.cleave.txn.OptimisticTransaction] reads
/// tablets at its snapshot, remembers what it read as locks in those tablets, keeps its writes to
/// itself, and at the end, if no lock was broken, commits them: one record in one cell, two phases
/// over several.
@NullMarked
package io.cleave.txn;

import org.jspecify.annotations.NullMarked;
