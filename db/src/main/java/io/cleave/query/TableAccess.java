package io.cleave.query;

import java.util.concurrent.atomic.AtomicLong;

/// How many rows a query touched in one table.
public final class TableAccess {
    private final String path;
    private final AtomicLong readRows = new AtomicLong();
    private long updatedRows;
    private long erasedRows;

    TableAccess(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }

    public long readRows() {
        return readRows.get();
    }

    public long updatedRows() {
        return updatedRows;
    }

    public long erasedRows() {
        return erasedRows;
    }

    /// From any thread.
    void read(long rows) {
        readRows.addAndGet(rows);
    }

    void updated() {
        updatedRows++;
    }

    void erased() {
        erasedRows++;
    }
}
