package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;

import java.io.OutputStream;
import java.util.List;

/// Writes rows in JSON, one on each line.
final class JsonRowOutput extends EncodedRowOutput {
    private final JsonFormat format;

    /// Writes a row into `row`. When the row has ended, it is copied to the block.
    private final YtJsonWriter json;

    private final ByteWriter row = new ByteWriter(256);

    /// For each column: its name and a colon.
    private byte[][] keys = {};

    private boolean isFirstField;
    private boolean hasAttributes;

    JsonRowOutput(JsonFormat format, OutputStream sink) {
        super(sink);
        this.format = format;
        this.json = new YtJsonWriter(format, row);
    }

    @Override
    public void columns(List<Bytes> names) {
        keys = new byte[names.size()][];
        for (int column = 0; column < keys.length; column++) {
            var key = new ByteWriter(names.get(column).length() + 8);
            new YtJsonWriter(format, key).key(names.get(column));
            key.putByte(':');
            keys[column] = key.toArray();
        }
    }

    @Override
    public void beginRow() {
        row.clear();
        row.putByte('{');
        isFirstField = true;
        hasAttributes = false;
    }

    @Override
    public void beginRow(YsonNode.Members attributes) {
        if (format.attributes() == JsonFormat.Attributes.NEVER) {
            beginRow();
            return;
        }
        row.clear();
        json.ascii("{\"$attributes\":");
        json.value(attributes, 0);
        json.ascii(",\"$value\":{");
        isFirstField = true;
        hasAttributes = true;
    }

    private void key(int column) {
        if (!isFirstField) {
            row.putByte(',');
        }
        isFirstField = false;
        row.put(keys[column], 0, keys[column].length);
    }

    @Override
    public void nullField(int column) {
        if (format.skipsNulls()) {
            return;
        }
        field(column, YsonNode.entity());
    }

    @Override
    public void intField(int column, long value) {
        field(column, YsonNode.of(value));
    }

    @Override
    public void uintField(int column, long value) {
        field(column, YsonNode.uint(value));
    }

    @Override
    public void doubleField(int column, double value) {
        field(column, YsonNode.real(value));
    }

    @Override
    public void booleanField(int column, boolean value) {
        field(column, YsonNode.bool(value));
    }

    @Override
    public void stringField(int column, Bytes value) {
        field(column, YsonNode.text(value));
    }

    @Override
    public void anyField(int column, Bytes yson) {
        field(column, DataFormat.YSON_BINARY.readValue(yson));
    }

    private void field(int column, YsonNode value) {
        key(column);
        json.value(value, 0);
    }

    @Override
    public void endRow() {
        row.putByte('}');
        if (hasAttributes) {
            row.putByte('}');
        }
        row.putByte('\n');
        out.put(row.array(), 0, row.length());
        rowEnded();
    }

    @Override
    public void missingRow() {
        row.clear();
        json.ascii("null\n");
        out.put(row.array(), 0, row.length());
        rowEnded();
    }
}
