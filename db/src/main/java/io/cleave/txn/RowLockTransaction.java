package io.cleave.txn;

import io.cleave.schema.RowLock;
import io.cleave.schema.Table;

/// A transaction of [Isolation#ROW_LOCKS]. All its reads are of one snapshot, which was taken at
/// the start.
public interface RowLockTransaction extends Transaction {
    /// Locks a row without writing it. The lock is checked when the transaction commits.
    void lock(Table table, RowLock lock);

    /// The timestamp of the snapshot.
    long snapshot();

    /// A transaction that reads the snapshot of this one, without its writes, and cannot write. It
    /// must not be used after this one has ended, and need not be ended.
    Transaction readingSnapshot();
}
