package io.cleave.query.metric;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/// Counts the rows and bytes that a query reads and writes in one table. Threads: scans are counted
/// by any thread, everything else by the thread of the run.
public final class TableAccess {
    private static final AtomicLongFieldUpdater<TableAccess> SCANNED_ROWS =
            AtomicLongFieldUpdater.newUpdater(TableAccess.class, "scannedRows");
    private static final AtomicLongFieldUpdater<TableAccess> SCANNED_BYTES =
            AtomicLongFieldUpdater.newUpdater(TableAccess.class, "scannedBytes");

    private final String path;
    private volatile long scannedRows;
    private volatile long scannedBytes;

    // Used only by the thread of the run.
    private long foundRows;
    private long foundBytes;

    /// Null until something is written.
    private @Nullable Written written;

    private static final class Written {
        private long updatedRows;
        private long updatedBytes;
        private long erasedRows;
        private long erasedBytes;

        /// Null until something is updated.
        private @Nullable WriteWarnings warnings;
    }

    public TableAccess(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }

    public long readRows() {
        return foundRows + scannedRows;
    }

    /// The approximate size of the values that were read.
    public long readBytes() {
        return foundBytes + scannedBytes;
    }

    public long updatedBytes() {
        return written == null ? 0 : written.updatedBytes;
    }

    public long erasedBytes() {
        return written == null ? 0 : written.erasedBytes;
    }

    public long updatedRows() {
        return written == null ? 0 : written.updatedRows;
    }

    public long erasedRows() {
        return written == null ? 0 : written.erasedRows;
    }

    /// May be called by any thread.
    public void scanned(long rows, long bytes) {
        SCANNED_ROWS.addAndGet(this, rows);
        SCANNED_BYTES.addAndGet(this, bytes);
    }

    /// This method and those below are called only by the thread of the run.
    public void found(long rows, long bytes) {
        foundRows += rows;
        foundBytes += bytes;
    }

    public void updated(Table table, Bytes key, long bytes) {
        Written now = written();
        now.updatedRows++;
        now.updatedBytes += bytes;
        WriteWarnings looking = now.warnings;
        if (looking == null) {
            looking = new WriteWarnings(table);
            now.warnings = looking;
        }
        looking.look(key, bytes);
    }

    /// Warnings for the user about the rows that were written.
    public List<Issue> warnings() {
        WriteWarnings looked = written == null ? null : written.warnings;
        return looked == null ? List.of() : looked.issues();
    }

    public void erased(long bytes) {
        Written now = written();
        now.erasedRows++;
        now.erasedBytes += bytes;
    }

    private Written written() {
        Written known = written;
        if (known == null) {
            known = new Written();
            written = known;
        }
        return known;
    }
}
