package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// The view that a running query has of the store. Reads see the snapshot with the transaction's
/// own writes on top. Writes are kept until the commit.
///
/// Threads: one at a time. Conflicts and exceeded limits are reported as a `StatusException`.
public interface Transaction {
    Isolation isolation();

    /// The columns of the row with this encoded key, or null if there is no such row.
    Value @Nullable [] get(Bytes key, ReadColumns columns);

    /// Like [#get] for several keys. This is cheaper per key, above all if they are in key order.
    default Value[] @Nullable [] getAll(List<Bytes> keys, ReadColumns columns) {
        Value[] @Nullable [] rows = new Value[keys.size()] @Nullable [];
        for (int index = 0; index < rows.length; index++) {
            rows[index] = get(keys.get(index), columns);
        }
        return rows;
    }

    /// The stored versions of the row up to the snapshot, the newest first, until one of the limits
    /// is passed. Writes of this transaction are not among them, and nothing is locked.
    List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits);

    /// The rows of the range in key order. The stream may or may not show writes that this
    /// transaction makes while it is open. A statement that writes to what it scans must collect
    /// the rows first.
    RowStream scan(KeyRange range, ReadColumns columns, Direction direction);

    /// Like [#scan], forward and in batches. Empty if the transaction has written rows of the table
    /// that are not stored yet.
    default Optional<BatchStream> scanBatches(KeyRange range, ReadColumns columns) {
        return Optional.empty();
    }

    /// The rows of the ranges, in key order, divided into parts that can be read concurrently. Each
    /// part has about `partBytes` of stored data if rows are dense enough. Empty if the transaction
    /// has written rows of the table that are not stored yet; use [#scan] then.
    default Optional<List<ScanPart>> scanParts(
            List<KeyRange> ranges, ReadColumns columns, long partBytes) {
        return Optional.empty();
    }

    /// From now on scans call `step` every few hundred keys, including keys without a live row.
    /// `step` may throw to end the scan. Parts of a scan call it on the threads that read them.
    default void onScanStep(Runnable step) {}

    void write(Table table, Bytes key, RowWrite write);

    /// The next number of the sequence of a table's column. A rollback does not give the number
    /// back.
    long nextValue(Table table, int column);

    boolean hasWrites();

    /// Called when the transaction stays open between requests: from now on everything that it
    /// keeps is counted. Throws OVERLOADED if there is no memory for it; then it must be rolled
    /// back.
    default void rest() {}

    /// How old the data may be that this transaction reads, at the time it was read; empty if it
    /// reads no replicas.
    default OptionalLong staleMicros() {
        return OptionalLong.empty();
    }

    /// Ends the transaction. After `Committed` its writes are durable and visible to every later
    /// snapshot.
    CommitOutcome commit();

    /// Commits without waiting, if the commit only has to wait for the log. `ended` is called with
    /// the outcome that [#commit] would have returned. It runs on a thread that others wait for
    /// too. After a call that returned true, the transaction must not be used any more. Returns
    /// false, and changes nothing, if the commit cannot be done like this.
    default boolean commitLater(Consumer<CommitOutcome> ended) {
        return false;
    }

    /// Ends the transaction without effects. Does nothing if it has already ended.
    void rollback();
}
