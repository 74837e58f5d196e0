package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// What a running query sees of the store: reads as of its snapshot with its own writes on top, and
/// writes that are kept until the commit.
///
/// Threads: one at a time. What conflicts or is out of bounds ends in a `StatusException`.
public interface Transaction {
    Isolation isolation();

    /// The columns of the row with this encoded key, or null where there is none.
    Value @Nullable [] get(Bytes key, ReadColumns columns);

    /// As [#get] for each of the keys: many at once cost less each, most of all in key order.
    default Value[] @Nullable [] getAll(List<Bytes> keys, ReadColumns columns) {
        Value[] @Nullable [] rows = new Value[keys.size()] @Nullable [];
        for (int index = 0; index < rows.length; index++) {
            rows[index] = get(keys.get(index), columns);
        }
        return rows;
    }

    /// The rows of the range in key order. Writes of this transaction made while the stream is open
    /// may or may not show in it: whoever writes what it scans collects first.
    RowStream scan(KeyRange range, ReadColumns columns, Direction direction);

    /// As [#scan], forwards, by batches. Nothing where the transaction has rows that are not stored
    /// like that.
    default Optional<BatchStream> scanBatches(KeyRange range, ReadColumns columns) {
        return Optional.empty();
    }

    /// The rows of the ranges, in key order, cut into parts that can be read beside each other,
    /// each of about `partBytes` of the store if rows lie close enough. Nothing where the
    /// transaction has rows that are not stored like that: then [#scan] has them all.
    default Optional<List<ScanPart>> scanParts(
            List<KeyRange> ranges, ReadColumns columns, long partBytes) {
        return Optional.empty();
    }

    /// From here on, scans call `step` every few hundred keys that they pass, also where these have
    /// no rows any more. It may throw, and ends the scan so. Parts of a scan call it on the threads
    /// that read them.
    default void onScanStep(Runnable step) {}

    void write(Table table, Bytes key, RowWrite write);

    /// The next number of the sequence of a table's column. It is taken for good: it is not given
    /// again when the transaction is rolled back.
    long nextValue(Table table, int column);

    boolean hasWrites();

    /// For how long what it reads may be behind what others could see when it was read; empty if it
    /// reads no replicas.
    default OptionalLong staleMicros() {
        return OptionalLong.empty();
    }

    /// Ends the transaction. After `Committed` its writes are durable and seen by every later
    /// snapshot.
    CommitOutcome commit();

    /// Commits without waiting, if nothing but the log is to be waited for: `ended` is called with
    /// what [#commit] would have returned, on a thread that others wait for, too, and the
    /// transaction is not to be touched any more. False when it cannot be done like that; then
    /// nothing has happened.
    default boolean commitLater(Consumer<CommitOutcome> ended) {
        return false;
    }

    /// Ends the transaction without a trace; harmless when it has ended already.
    void rollback();
}
