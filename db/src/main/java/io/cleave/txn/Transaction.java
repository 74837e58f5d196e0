package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// What a running query sees of the store: reads as of its snapshot with its own writes on top, and
/// writes that are kept until the commit.
///
/// Columns are indexes into `table.columns()`; rows come back with their values in the order asked.
/// Threads: one at a time. What conflicts or is out of bounds ends in a `StatusException`.
public interface Transaction {
    Isolation isolation();

    /// The row with this encoded key, or null where there is none.
    Value @Nullable [] get(Table table, Bytes key, int[] columns);

    /// The rows of the range in key order. Writes of this transaction made while the stream is open
    /// may or may not show in it: whoever writes what it scans collects first.
    RowStream scan(Table table, KeyRange range, int[] columns, Direction direction);

    void write(Table table, Bytes key, RowWrite write);

    boolean hasWrites();

    /// Ends the transaction. After `Committed` its writes are durable and seen by every later
    /// snapshot.
    CommitOutcome commit();

    /// Ends the transaction without a trace; harmless when it has ended already.
    void rollback();
}
