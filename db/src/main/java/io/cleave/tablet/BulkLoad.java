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

/// Rows in the order of their keys on their way into one tablet, past its log and memtables: they
/// are written to files, and one record makes all of them visible at once.
///
/// A crash before that record is durable leaves files that nobody names; the next start deletes
/// them. Threads: one at a time.
public final class BulkLoad implements AutoCloseable {
    /// How often what others have written into the range meanwhile is flushed, to get on top of it.
    private static final int ATTEMPTS = 3;

    private final Cell cell;
    private final Tablet tablet;
    private final TableFiles files;
    private final BulkWriter writer;

    BulkLoad(Cell cell, Tablet tablet, TableFiles files) {
        this.cell = cell;
        this.tablet = tablet;
        this.files = files;
        writer = tablet.tree().newBulkWriter();
    }

    /// `change` is an encoded [io.cleave.lsm.RowChange]; keys ascend.
    public void add(Bytes key, Bytes change) {
        writer.add(key, change);
    }

    /// A whole row: columns that it does not name are NULL, and so is a null cell. Keys ascend.
    public void add(Bytes key, int[] ascendingColumnIds, byte[] @Nullable [] cells) {
        writer.add(key, ascendingColumnIds, cells);
    }

    /// Returns when all rows are durable and visible, or none will ever be: [Broken] when others
    /// write to the same range all the time.
    public CommitResult finish() {
        List<Slice> written = writer.finish();
        if (written.isEmpty()) {
            return new Done(cell.timeline().visible());
        }
        CommitResult result;
        try {
            result = ingest(written);
        } catch (RuntimeException e) {
            // It came before anything was logged.
            written.forEach(slice -> files.delete(slice.blobId()));
            throw e;
        }
        switch (result) {
            case Done _ -> {}
            // The record may be durable: the next start knows.
            case Lost _ -> {}
            case Gone _, Broken _, Moved _ ->
                    written.forEach(slice -> files.delete(slice.blobId()));
        }
        return result;
    }

    /// The same as of a moment that has passed, below everything that was written since. The tablet
    /// [awaits][Cell#awaitLoad] it, and the moment is held: nobody reads there yet who would see
    /// another past.
    public CommitResult finishBelow(long timestamp) {
        List<Slice> written = writer.finish();
        if (written.isEmpty()) {
            return new Done(timestamp);
        }
        CommitResult result;
        try {
            result = cell.ranges().ingestBelow(tablet.id(), written, timestamp);
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
            @Nullable CommitResult result = cell.ranges().ingest(tablet.id(), written, range);
            if (result != null) {
                return result;
            }
            cell.flush(List.of(tablet.id()));
        }
        return new Broken(tablet.tableId());
    }

    /// Deletes what was written, unless it was finished.
    @Override
    public void close() {
        writer.close();
    }
}
