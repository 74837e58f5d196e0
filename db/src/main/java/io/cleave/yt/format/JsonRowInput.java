package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

/// Reads rows in JSON: objects, usually one on each line.
final class JsonRowInput extends BufferedRowInput {
    private final YtJsonReader reader;

    JsonRowInput(JsonFormat format, RowWindow window) {
        super(window);
        reader = new YtJsonReader(format, window.array(), window.to(), window.memory());
    }

    @Override
    void windowMoved() {
        reader.reset(window.array(), rowFrom, window.to(), window.origin());
    }

    @Override
    boolean readRow() {
        if (reader.atEnd()) {
            return false;
        }
        YsonNode row = reader.next();
        if (row instanceof YsonNode.Attributed) {
            throw failure("Table values cannot have top-level attributes");
        }
        if (!(row instanceof YsonNode.Members(var fields))) {
            // A number at the end of the window may continue after it.
            if (reader.at() == window.to() && window.more(rowFrom)) {
                rowFrom = 0;
                windowMoved();
                return readRow();
            }
            throw failure("Invalid row format, map expected");
        }
        fields.forEach((name, value) -> addField(columnOf(name.array(), 0, name.length()), value));
        rowFrom = reader.at();
        return true;
    }

    private void addField(int column, YsonNode value) {
        switch (value) {
            case YsonNode.Entity _ -> add(column, WireType.NULL, 0);
            case YsonNode.Bool(boolean flag) -> add(column, WireType.BOOLEAN, flag ? 1 : 0);
            case YsonNode.Int64(long number) -> add(column, WireType.INT64, number);
            case YsonNode.Uint64(long number) -> add(column, WireType.UINT64, number);
            case YsonNode.Real(double number) ->
                    add(column, WireType.DOUBLE, Double.doubleToRawLongBits(number));
            case YsonNode.Text(Bytes text) -> {
                int from = extra.length();
                extra.put(text.array(), 0, text.length());
                addExtraBytes(column, WireType.STRING, from);
            }
            case YsonNode.Items _, YsonNode.Members _ -> {
                int from = extra.length();
                YsonWriter.write(value, YsonWriter.Format.BINARY, YsonWriter.Dialect.YT, 0, extra);
                addExtraBytes(column, WireType.ANY, from);
            }
            case YsonNode.Attributed _ ->
                    throw failure("Table values cannot have top-level attributes");
        }
    }

    private RuntimeException failure(String message) {
        return YtError.of(YtCodes.GENERIC, message)
                .with("row_index", YsonNode.of(rowIndex()))
                .exception();
    }
}
