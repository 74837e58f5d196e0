package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.schema.RowLock;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.RowLockTransaction;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions.KeyedWrite;

import java.util.List;

/// A transaction over rows in the manner of YTsaurus: reads see the moment at which it began and
/// not its own writes; writes are kept until the commit, which fails if another transaction has
/// meanwhile written or locked the same lock group of a row.
///
/// Threads: one at a time.
public final class KeyedTransaction {
    private final KeyedRows rows;
    private final RowLockTransaction writes;
    private final Transaction reads;
    private final long start;

    KeyedTransaction(KeyedRows rows, RowLockTransaction writes) {
        this.rows = rows;
        this.writes = writes;
        start = writes.snapshot();
        reads = writes.readingSnapshot();
    }

    /// The timestamp of the moment that is read.
    public long start() {
        return start;
    }

    /// Reads the moment at which this transaction began, without its writes. It must not be used
    /// after this transaction has ended.
    public Transaction reads() {
        return reads;
    }

    public void write(KeyedTable table, List<KeyedWrite> written) {
        rows.write(writes, table, written);
    }

    public void lock(KeyedTable table, Bytes key, long groups, RowLock.Kind kind) {
        writes.lock(table.table(), new RowLock(key, groups, kind));
    }

    /// Called when the transaction stays open between requests, so that its memory is counted.
    public void rest() {
        writes.rest();
    }

    public CommitOutcome commit() {
        return writes.commit();
    }

    public void abort() {
        writes.rollback();
    }
}
