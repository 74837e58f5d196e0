package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import java.util.Arrays;

/// Reads rows in schemaful DSV.
final class SchemafulDsvRowInput extends BufferedRowInput {
    private final SchemafulDsvFormat format;
    private final DsvLines lines;

    SchemafulDsvRowInput(SchemafulDsvFormat format, RowWindow window) {
        super(window);
        this.format = format;
        lines = new DsvLines(format.symbols(), window);
    }

    @Override
    void windowMoved() {
        lines.moveTo(rowFrom);
    }

    @Override
    boolean readRow() {
        lines.moveTo(rowFrom);
        if (lines.atEnd()) {
            return false;
        }
        int count = format.columns().size();
        for (int index = 0; index < count; index++) {
            lines.next(false);
            if (lines.endedByRecord() && index < count - 1) {
                throw lines.error("A line has too few fields: expected " + count);
            }
            addPart(format.columns().get(index));
        }
        if (!lines.endedByRecord()) {
            throw lines.error("A line has too many fields: expected " + count);
        }
        rowFrom = lines.at();
        return true;
    }

    private void addPart(Bytes name) {
        ByteWriter part = lines.part();
        int column = columnOf(name.array(), 0, name.length());
        Bytes sentinel = format.sentinel();
        boolean isNull =
                format.missing() == SchemafulDsvFormat.Missing.PRINT_SENTINEL
                        && Arrays.equals(
                                part.array(),
                                0,
                                part.length(),
                                sentinel.array(),
                                0,
                                sentinel.length());
        if (isNull) {
            add(column, WireType.NULL, 0);
        } else {
            int from = extra.length();
            extra.put(part.array(), 0, part.length());
            addExtraBytes(column, WireType.STRING, from);
        }
    }
}
