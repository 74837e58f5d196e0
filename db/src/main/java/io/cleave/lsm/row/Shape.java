package io.cleave.lsm.row;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;

/// The columns of a row and the widths of their fields. Most rows of a block have the same shape,
/// which is then stored only once.
///
/// ```
/// varint  number of columns
/// each, ascending:
///   varint  column - the column before (the first: its own number)
///   varint  0: every row says how long its field is; 1 + width: all have this many bytes
/// ```
final class Shape {
    /// As a value in [#widths]: each row stores the width of its field, and whether it is NULL.
    static final int VARIABLE = -1;

    static final Shape EMPTY = new Shape(new int[0], new int[0]);

    final int[] columns;
    final int[] widths;

    /// The number of variable columns.
    final int variables;

    /// The total width of the fields that are not variable.
    final int fixedBytes;

    Shape(int[] columns, int[] widths) {
        this.columns = columns;
        this.widths = widths;
        int variable = 0;
        int fixed = 0;
        for (int width : widths) {
            variable += width == VARIABLE ? 1 : 0;
            fixed += Math.max(width, 0);
        }
        variables = variable;
        fixedBytes = fixed;
    }

    void writeTo(ByteWriter out) {
        out.putVarInt(columns.length);
        int before = 0;
        for (int index = 0; index < columns.length; index++) {
            out.putVarInt(columns[index] - before);
            out.putVarInt(widths[index] + 1);
            before = columns[index];
        }
    }

    static Shape readFrom(ByteReader in) {
        int count = in.getVarInt();
        int[] columns = new int[count];
        int[] widths = new int[count];
        int column = 0;
        for (int index = 0; index < count; index++) {
            column += in.getVarInt();
            columns[index] = column;
            widths[index] = in.getVarInt() - 1;
        }
        return new Shape(columns, widths);
    }
}
