package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.lsm.BulkWriter;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Broken;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.CommitResult.Gone;
import io.cleave.tablet.record.CommitResult.Lost;
import io.cleave.tablet.record.CommitResult.Moved;
import io.cleave.tablet.record.CommitResult.Outdated;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A bulk load into a tablet of this process. The rows are written to files, and one log record
/// makes all of them visible at once. A crash before that record is durable leaves files that no
/// tablet names; the next start deletes them.
final class LocalBulkLoad implements BulkLoad {
    /// How often the load flushes rows that other transactions wrote into its range meanwhile. The
    /// loaded files must be newer than those rows.
    private static final int ATTEMPTS = 3;

    private final RangeChanges ranges;
    private final Flusher flusher;
    private final Timeline timeline;
    private final Tablet tablet;
    private final TableFiles files;
    private final BulkWriter writer;

    LocalBulkLoad(
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
        writer = tablet.tree().maintenance().newBulkWriter();
    }

    @Override
    public void add(Bytes key, Bytes change) {
        writer.add(key, change);
    }

    @Override
    public void add(Bytes key, int[] ascendingColumnIds, byte[] @Nullable [] cells) {
        writer.add(key, ascendingColumnIds, cells);
    }

    @Override
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
            case Gone _, Broken _, Moved _, Outdated _ ->
                    written.forEach(slice -> files.delete(slice.blobId()));
        }
        return result;
    }

    @Override
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
            case Gone _, Broken _, Moved _, Outdated _ ->
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

    @Override
    public void close() {
        writer.close();
    }
}
