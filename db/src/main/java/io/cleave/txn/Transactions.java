package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.schema.Table;

import java.util.List;

/// Where transactions begin.
public interface Transactions {
    /// Begins a transaction; its snapshot is taken by its first read.
    Transaction begin(Isolation isolation);

    /// Writes rows without a transaction around them: each tablet takes its own atomically, as
    /// YDB's BulkUpsert. `rows` are encoded keys with their writes, in the order they are applied.
    void bulkWrite(Table table, List<KeyedWrite> rows);

    record KeyedWrite(Bytes key, RowWrite write) {}
}
