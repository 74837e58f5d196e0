package io.cleave.txn;

import io.cleave.value.Value;
import io.cleave.value.Vector;

/// Some rows of a scan, column by column, in the requested order. Valid until the next batch is
/// read.
public final class ColumnBatch {
    private final Vector[] columns;
    private int rows;

    ColumnBatch(Vector[] columns) {
        this.columns = columns;
    }

    /// A batch of columns that the caller fills.
    public static ColumnBatch of(Vector... columns) {
        return new ColumnBatch(columns);
    }

    public int rows() {
        return rows;
    }

    public void setRows(int newRows) {
        rows = newRows;
    }

    public int width() {
        return columns.length;
    }

    public Vector column(int place) {
        return columns[place];
    }

    /// The approximate size of its values.
    public long bytes() {
        long bytes = 0;
        for (Vector column : columns) {
            bytes += column.bytes();
        }
        return bytes;
    }

    public Value[] row(int row) {
        var values = new Value[columns.length];
        for (int place = 0; place < values.length; place++) {
            values[place] = columns[place].get(row);
        }
        return values;
    }
}
