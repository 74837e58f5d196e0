package io.cleave.yt.format;

import io.cleave.base.ByteWriter;

/// Reads rows in DSV. An empty line is a row without fields.
final class DsvRowInput extends BufferedRowInput {
    private final DsvLines lines;

    DsvRowInput(DsvSymbols symbols, RowWindow window) {
        super(window);
        lines = new DsvLines(symbols, window);
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
        boolean isFirst = true;
        do {
            lines.next(true);
            ByteWriter part = lines.part();
            boolean isEmptyLine = isFirst && lines.endedByRecord() && part.length() == 0;
            isFirst = false;
            if (isEmptyLine) {
                break;
            }
            if (!lines.endedByKeyValue()) {
                throw lines.error("A field has no separator between its name and its value");
            }
            int column = columnOf(part.array(), 0, part.length());
            lines.next(false);
            int from = extra.length();
            extra.put(part.array(), 0, part.length());
            addExtraBytes(column, WireType.STRING, from);
        } while (!lines.endedByRecord());
        rowFrom = lines.at();
        return true;
    }
}
