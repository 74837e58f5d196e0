package io.cleave.yt.command;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.format.ColumnNames;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.WireType;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Rows of a YSON text, such as `{k=1};{k=2}`.
final class TextRowInput implements RowInput {
    private final Iterator<YsonNode> rows;
    private final ColumnNames names = new ColumnNames();
    private List<Map.Entry<Bytes, YsonNode>> row = List.of();

    TextRowInput(String fragment) {
        rows = ((YsonNode.Items) FakeCall.yson("[" + fragment + "]")).items().iterator();
    }

    @Override
    public boolean next() {
        if (!rows.hasNext()) {
            return false;
        }
        row = List.copyOf(((YsonNode.Members) rows.next()).members().entrySet());
        return true;
    }

    @Override
    public ColumnNames names() {
        return names;
    }

    @Override
    public int fieldCount() {
        return row.size();
    }

    @Override
    public int column(int field) {
        return names.idOf(row.get(field).getKey());
    }

    private YsonNode value(int field) {
        return row.get(field).getValue();
    }

    @Override
    public WireType type(int field) {
        return switch (value(field)) {
            case YsonNode.Entity _ -> WireType.NULL;
            case YsonNode.Int64 _ -> WireType.INT64;
            case YsonNode.Uint64 _ -> WireType.UINT64;
            case YsonNode.Real _ -> WireType.DOUBLE;
            case YsonNode.Bool _ -> WireType.BOOLEAN;
            case YsonNode.Text _ -> WireType.STRING;
            case YsonNode.Items _, YsonNode.Members _, YsonNode.Attributed _ -> WireType.ANY;
        };
    }

    @Override
    public long bits(int field) {
        return switch (value(field)) {
            case YsonNode.Int64(long value) -> value;
            case YsonNode.Uint64(long value) -> value;
            case YsonNode.Real(double value) -> Double.doubleToRawLongBits(value);
            case YsonNode.Bool(boolean value) -> value ? 1 : 0;
            default -> throw new IllegalStateException("not a number: " + value(field));
        };
    }

    @Override
    public Bytes bytes(int field) {
        return value(field) instanceof YsonNode.Text(Bytes text)
                ? text
                : YsonWriter.write(value(field), YsonWriter.Format.BINARY);
    }
}
