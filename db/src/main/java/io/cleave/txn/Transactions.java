package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Starts transactions.
public interface Transactions {
    /// Starts a transaction. Its snapshot is taken by its first read, except for
    /// [Isolation#ROW_LOCKS].
    Transaction begin(Isolation isolation);

    /// Starts a transaction that reads an earlier moment, and writes nothing. A read throws
    /// [PastGoneException] if its table does not keep the versions of that moment any more. A
    /// timestamp in the future reads the newest moment.
    Transaction beginAt(long timestamp);

    /// Starts a transaction of [Isolation#ROW_LOCKS]. Its snapshot is the newest moment.
    RowLockTransaction beginWithRowLocks();

    /// The columns of one row at the newest moment, or null if there is no such row. Equivalent to
    /// a read-only transaction for this one read.
    default Value @Nullable [] readNewest(Bytes key, ReadColumns columns) {
        Transaction transaction = begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            return transaction.get(key, columns);
        } finally {
            transaction.rollback();
        }
    }

    /// Writes rows without a transaction: the rows of each tablet are written atomically, as in
    /// YDB's BulkUpsert. `rows` are encoded keys with their writes, in the order in which they are
    /// applied.
    void bulkWrite(Table table, List<KeyedWrite> rows);

    record KeyedWrite(Bytes key, RowWrite write) {}
}
