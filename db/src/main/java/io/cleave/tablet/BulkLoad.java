package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.tablet.record.CommitResult;

import org.jspecify.annotations.Nullable;

/// Loads rows in key order into one tablet, bypassing its log and memtables. All rows become
/// visible at once. Threads: one at a time.
public interface BulkLoad extends AutoCloseable {
    /// `change` is an encoded [io.cleave.lsm.row.RowChange]; keys ascend.
    void add(Bytes key, Bytes change);

    /// Adds a whole row. Columns that it does not name are NULL; so are null values in `cells`.
    /// Keys ascend.
    void add(Bytes key, int[] ascendingColumnIds, byte[] @Nullable [] cells);

    /// Returns when all rows are durable and visible, or when the load has failed. The result is
    /// [CommitResult.Broken] if other transactions keep writing to the same range.
    CommitResult finish();

    /// Like `finish`, but the rows get a timestamp in the past and lie below everything written
    /// since. The tablet [awaits][Compactor#awaitLoad] the load, and the timestamp is held: nobody
    /// can read at it yet, so no reader sees the past change.
    CommitResult finishBelow(long timestamp);

    /// Deletes the written files, unless the load was finished.
    @Override
    void close();
}
