package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Where transactions begin.
public interface Transactions {
    /// Begins a transaction; its snapshot is taken by its first read.
    Transaction begin(Isolation isolation);

    /// The columns of one row at the newest moment, or null if there is no such row: all that a
    /// transaction of its own would do.
    default Value @Nullable [] readNewest(Bytes key, ReadColumns columns) {
        Transaction transaction = begin(Isolation.SNAPSHOT_READ_ONLY);
        try {
            return transaction.get(key, columns);
        } finally {
            transaction.rollback();
        }
    }

    /// Writes rows without a transaction around them: each tablet takes its own atomically, as
    /// YDB's BulkUpsert. `rows` are encoded keys with their writes, in the order they are applied.
    void bulkWrite(Table table, List<KeyedWrite> rows);

    record KeyedWrite(Bytes key, RowWrite write) {}
}
