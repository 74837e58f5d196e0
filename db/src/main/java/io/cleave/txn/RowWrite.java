package io.cleave.txn;

import io.cleave.value.Value;

/// A write of a transaction to one row. `columns` are indexes into the table's columns, ascending
/// and without key columns. `values` are in the order of `columns`.
public final class RowWrite {
    public enum Kind {
        /// Columns that are not named keep their values; in a new row they are NULL.
        UPSERT,
        /// Columns that are not named become NULL.
        REPLACE,
        ERASE
    }

    public static final RowWrite ERASE = new RowWrite(Kind.ERASE, new int[0], new Value[0]);

    private final Kind kind;
    private final int[] columns;
    private final Value[] values;

    public RowWrite(Kind kind, int[] columns, Value[] values) {
        this.kind = kind;
        this.columns = columns;
        this.values = values;
    }

    public Kind kind() {
        return kind;
    }

    public int[] columns() {
        return columns;
    }

    public Value[] values() {
        return values;
    }
}
