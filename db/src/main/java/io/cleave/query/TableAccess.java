package io.cleave.query;

/// How many rows a query touched in one table.
public final class TableAccess {
    private final String path;
    private long readRows;
    private long updatedRows;
    private long erasedRows;

    TableAccess(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }

    public long readRows() {
        return readRows;
    }

    public long updatedRows() {
        return updatedRows;
    }

    public long erasedRows() {
        return erasedRows;
    }

    void read() {
        readRows++;
    }

    void updated() {
        updatedRows++;
    }

    void erased() {
        erasedRows++;
    }
}
