package io.cleave.txn;

import io.cleave.value.Value;

/// What a transaction does to one row. The values stand in the order of the columns, which are
/// indexes into the table's columns, ascending and none of them a key column.
public final class RowWrite {
    public enum Kind {
        /// Cells that are not named keep their values; a row that was not there begins with NULLs.
        UPSERT,
        /// Cells that are not named become NULL.
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
