package io.cleave.yt.command;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.format.RowOutput;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Collects rows as YSON text, one line for each row.
final class TextRows implements RowOutput {
    private final StringBuilder text = new StringBuilder();
    private List<Bytes> names = List.of();
    private SequencedMap<Bytes, YsonNode> row = new LinkedHashMap<>();
    private YsonNode.Members attributes = YsonNode.Members.EMPTY;

    String text() {
        return text.toString();
    }

    @Override
    public void columns(List<Bytes> given) {
        names = List.copyOf(given);
    }

    @Override
    public void beginRow() {
        row = new LinkedHashMap<>();
        attributes = YsonNode.Members.EMPTY;
    }

    @Override
    public void beginRow(YsonNode.Members given) {
        beginRow();
        attributes = given;
    }

    private void field(int column, YsonNode value) {
        if (row.put(names.get(column), value) != null) {
            throw new IllegalStateException("a column twice: " + names.get(column).utf8());
        }
    }

    @Override
    public void nullField(int column) {
        field(column, new YsonNode.Entity());
    }

    @Override
    public void intField(int column, long value) {
        field(column, new YsonNode.Int64(value));
    }

    @Override
    public void uintField(int column, long value) {
        field(column, new YsonNode.Uint64(value));
    }

    @Override
    public void doubleField(int column, double value) {
        field(column, new YsonNode.Real(value));
    }

    @Override
    public void booleanField(int column, boolean value) {
        field(column, new YsonNode.Bool(value));
    }

    @Override
    public void stringField(int column, Bytes value) {
        field(column, new YsonNode.Text(value));
    }

    @Override
    public void anyField(int column, Bytes yson) {
        field(column, YsonNode.parse(yson).orElseThrow());
    }

    @Override
    public void endRow() {
        line(FakeCall.text(new YsonNode.Members(row).withAttributes(attributes)));
    }

    @Override
    public void missingRow() {
        line("#");
    }

    private void line(String row) {
        if (!text.isEmpty()) {
            text.append('\n');
        }
        text.append(row).append(';');
    }
}
