package io.cleave.query;

import java.util.concurrent.atomic.AtomicLong;

/// How many rows a query touched in one table.
public final class TableAccess {
    private final String path;
    private final AtomicLong scannedRows = new AtomicLong();
    private final AtomicLong scannedBytes = new AtomicLong();

    // Of the run's own thread.
    private long foundRows;
    private long foundBytes;
    private long updatedRows;
    private long updatedBytes;
    private long erasedRows;
    private long erasedBytes;

    TableAccess(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }

    public long readRows() {
        return foundRows + scannedRows.get();
    }

    /// About, as values take them.
    long readBytes() {
        return foundBytes + scannedBytes.get();
    }

    long updatedBytes() {
        return updatedBytes;
    }

    long erasedBytes() {
        return erasedBytes;
    }

    public long updatedRows() {
        return updatedRows;
    }

    public long erasedRows() {
        return erasedRows;
    }

    /// From any thread.
    void scanned(long rows, long bytes) {
        scannedRows.addAndGet(rows);
        scannedBytes.addAndGet(bytes);
    }

    /// The others are of the run's own thread.
    void found(long rows, long bytes) {
        foundRows += rows;
        foundBytes += bytes;
    }

    void updated(long bytes) {
        updatedRows++;
        updatedBytes += bytes;
    }

    void erased(long bytes) {
        erasedRows++;
        erasedBytes += bytes;
    }
}
