/// Snapshots, optimistic locks and the commit across tablets.
///
/// [io.cleave.txn.Transaction] is what a query sees. [io.cleave.txn.OptimisticTransaction] reads
/// tablets at its snapshot, remembers what it read as locks in those tablets, keeps its writes to
/// itself, and at the end asks the cell to log them all in one record if no lock was broken.
@NullMarked
package io.cleave.txn;

import org.jspecify.annotations.NullMarked;
