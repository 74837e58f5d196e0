package io.cleave.lsm.row;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;

/// The columns of a row and the widths of their fields. Most rows of a block have the same shape,
/// which is then stored only once.
///
/// ```
/// varint  number of columns
/// for each column, in ascending order:
///   varint  its number minus the number of the column before it (of the first column: its number)
///   varint  0: each row stores the width of its field; 1 + width: all fields have this width
/// ```
final class Shape {
    /// The value in [#widths] of a variable column: each row stores the width of its field, and
    /// whether it is NULL.
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
