/// Snapshots, optimistic transactions, and the commit across tablets.
///
/// [io.cleave.txn.Transaction] is what a query sees. [io.cleave.txn.OptimisticTransaction] reads
/// tablets at its snapshot through [io.cleave.tablet.CellService], leaves locks on what it has read
/// in those tablets, and keeps its writes to itself until the commit. If no lock was broken, it
/// commits them: as one record if they are in one cell, with a two-phase commit if they are in
/// several.
///
/// What always holds:
///
/// - All reads of a transaction see one snapshot, plus its own writes.
/// - The writes of a commit become visible together, in all cells, once they are durable.
/// - A serializable transaction commits its writes only if nobody has written what it read.
///
/// Begin with [io.cleave.txn.OptimisticTransaction], then read `TwoPhaseCommit`.
@NullMarked
package io.cleave.txn;

import org.jspecify.annotations.NullMarked;
