package io.cleave.yt.format;

import io.cleave.base.Bytes;

import java.util.List;

/// Copies rows from an input to an output, and shows fields.
final class RowCopies {
    private RowCopies() {}

    /// Copies the fields of the named columns, which the output numbers in this order.
    static void copy(RowInput rows, RowOutput out, List<String> names) {
        while (rows.next()) {
            out.beginRow();
            for (int field = 0; field < rows.fieldCount(); field++) {
                int column = names.indexOf(rows.names().name(rows.column(field)).utf8());
                if (column >= 0) {
                    copyField(rows, field, out, column);
                }
            }
            out.endRow();
        }
    }

    private static void copyField(RowInput rows, int field, RowOutput out, int column) {
        switch (rows.type(field)) {
            case NULL -> out.nullField(column);
            case INT64 -> out.intField(column, rows.bits(field));
            case UINT64 -> out.uintField(column, rows.bits(field));
            case DOUBLE -> out.doubleField(column, Double.longBitsToDouble(rows.bits(field)));
            case BOOLEAN -> out.booleanField(column, rows.bits(field) == 1);
            case STRING -> out.stringField(column, rows.bytes(field));
            case ANY -> out.anyField(column, rows.bytes(field));
        }
    }

    static String show(RowInput rows, int field) {
        return rows.type(field)
                + switch (rows.type(field)) {
                    case NULL -> "";
                    case INT64, BOOLEAN -> "=" + rows.bits(field);
                    case UINT64 -> "=" + Long.toUnsignedString(rows.bits(field));
                    case DOUBLE -> "=" + Double.longBitsToDouble(rows.bits(field));
                    case STRING, ANY -> "=" + FormatsTest.show(bytes(rows, field));
                };
    }

    private static byte[] bytes(RowInput rows, int field) {
        Bytes bytes = rows.bytes(field);
        return bytes.array();
    }
}
