package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.lsm.BulkWriter;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CommitResult.Broken;
import io.cleave.tablet.CommitResult.Done;
import io.cleave.tablet.CommitResult.Gone;
import io.cleave.tablet.CommitResult.Lost;
import io.cleave.tablet.CommitResult.Moved;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Loads rows in key order into one tablet, bypassing its log and memtables. The rows are written
/// to files, and one log record makes all of them visible at once.
///
/// A crash before that record is durable leaves files that no tablet names; the next start deletes
/// them. Threads: one at a time.
public final class BulkLoad implements AutoCloseable {
    /// How often the load flushes rows that other transactions wrote into its range meanwhile. The
    /// loaded files must be newer than those rows.
    private static final int ATTEMPTS = 3;

    private final RangeChanges ranges;
    private final Flusher flusher;
    private final Timeline timeline;
    private final Tablet tablet;
    private final TableFiles files;
    private final BulkWriter writer;

    BulkLoad(
            RangeChanges ranges,
            Flusher flusher,
            Timeline timeline,
            Tablet tablet,
            TableFiles files) {
        this.ranges = ranges;
        this.flusher = flusher;
        this.timeline = timeline;
        this.tablet = tablet;
        this.files = files;
        writer = tablet.tree().newBulkWriter();
    }

    /// `change` is an encoded [io.cleave.lsm.RowChange]; keys ascend.
    public void add(Bytes key, Bytes change) {
        writer.add(key, change);
    }

    /// Adds a whole row. Columns that it does not name are NULL; so are null values in `cells`.
    /// Keys ascend.
    public void add(Bytes key, int[] ascendingColumnIds, byte[] @Nullable [] cells) {
        writer.add(key, ascendingColumnIds, cells);
    }

    /// Returns when all rows are durable and visible, or when the load has failed. The result is
    /// [Broken] if other transactions keep writing to the same range.
    public CommitResult finish() {
        List<Slice> written = writer.finish();
        if (written.isEmpty()) {
            return new Done(timeline.visible());
        }
        CommitResult result;
        try {
            result = ingest(written);
        } catch (RuntimeException e) {
            // The exception came before anything was logged.
            written.forEach(slice -> files.delete(slice.blobId()));
            throw e;
        }
        switch (result) {
            case Done _ -> {}
            // The record may be durable; the next start finds out.
            case Lost _ -> {}
            case Gone _, Broken _, Moved _ ->
                    written.forEach(slice -> files.delete(slice.blobId()));
        }
        return result;
    }

    /// Like `finish`, but the rows get a timestamp in the past and lie below everything written
    /// since. The tablet [awaits][Compactor#awaitLoad] the load, and the timestamp is held: nobody
    /// can read at it yet, so no reader sees the past change.
    public CommitResult finishBelow(long timestamp) {
        List<Slice> written = writer.finish();
        if (written.isEmpty()) {
            return new Done(timestamp);
        }
        CommitResult result;
        try {
            result = ranges.ingestBelow(tablet.id(), written, timestamp);
        } catch (RuntimeException e) {
            written.forEach(slice -> files.delete(slice.blobId()));
            throw e;
        }
        switch (result) {
            case Done _, Lost _ -> {}
            case Gone _, Broken _, Moved _ ->
                    written.forEach(slice -> files.delete(slice.blobId()));
        }
        return result;
    }

    private CommitResult ingest(List<Slice> written) {
        Slice hull = BulkWriter.hull(written);
        var range = new KeyRange(hull.from(), hull.to());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            @Nullable CommitResult result = ranges.ingest(tablet.id(), written, range);
            if (result != null) {
                return result;
            }
            flusher.flush(List.of(tablet.id()));
        }
        return new Broken(tablet.tableId());
    }

    /// Deletes the written files, unless the load was finished.
    @Override
    public void close() {
        writer.close();
    }
}
