package io.cleave.lsm;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;

/// The cells of a row without their bytes: which columns, and how wide. Most rows of a block have
/// the same shape, which is then written once.
///
/// ```
/// varint  number of columns
/// each, ascending:
///   varint  column - the column before (the first: its own number)
///   varint  0: every row says how long its cell is; 1 + width: all have this many bytes
/// ```
final class Shape {
    /// In [#widths]: each row says how wide its cell is, and whether it is NULL.
    static final int VARIABLE = -1;

    static final Shape EMPTY = new Shape(new int[0], new int[0]);

    final int[] columns;
    final int[] widths;

    /// How many of the columns are variable.
    final int variables;

    /// Of a row's cells that are not variable.
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
