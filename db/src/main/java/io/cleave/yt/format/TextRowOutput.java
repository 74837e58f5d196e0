package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonText;
import io.cleave.value.YsonWriter;

import java.io.OutputStream;
import java.util.List;

/// Writes rows in YSON as text: one line for each row, or one line for each field.
final class TextRowOutput extends EncodedRowOutput {
    private static final int FIELD_DEPTH = 1;

    private final YsonWriter.Format form;
    private final boolean skipsNulls;

    /// For each column: the bytes before its value.
    private byte[][] keys = {};

    private boolean isEmptyRow;

    TextRowOutput(YsonWriter.Format form, boolean skipsNulls, OutputStream sink) {
        super(sink);
        this.form = form;
        this.skipsNulls = skipsNulls;
    }

    private boolean isPretty() {
        return form == YsonWriter.Format.PRETTY;
    }

    @Override
    public void columns(List<Bytes> names) {
        keys = new byte[names.size()][];
        for (int column = 0; column < keys.length; column++) {
            Bytes name = names.get(column);
            var key = new ByteWriter(name.length() + 16);
            if (isPretty()) {
                key.putByte('\n');
                key.put("    ".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, 4);
            }
            YsonText.string(key, name.array(), 0, name.length());
            if (isPretty()) {
                key.putByte(' ');
            }
            key.putByte('=');
            if (isPretty()) {
                key.putByte(' ');
            }
            keys[column] = key.toArray();
        }
    }

    @Override
    public void beginRow() {
        out.putByte('{');
        isEmptyRow = true;
    }

    @Override
    public void beginRow(YsonNode.Members attributes) {
        RowAttributes.write(attributes, form, out);
        beginRow();
    }

    private void key(int column) {
        byte[] key = keys[column];
        out.put(key, 0, key.length);
        isEmptyRow = false;
    }

    private void endField() {
        out.putByte(';');
    }

    @Override
    public void nullField(int column) {
        if (skipsNulls) {
            return;
        }
        key(column);
        out.putByte('#');
        endField();
    }

    @Override
    public void intField(int column, long value) {
        key(column);
        YsonText.int64(out, value);
        endField();
    }

    @Override
    public void uintField(int column, long value) {
        key(column);
        YsonText.uint64(out, value);
        endField();
    }

    @Override
    public void doubleField(int column, double value) {
        key(column);
        YsonText.real(out, value);
        endField();
    }

    @Override
    public void booleanField(int column, boolean value) {
        key(column);
        YsonText.bool(out, value);
        endField();
    }

    @Override
    public void stringField(int column, Bytes value) {
        key(column);
        YsonText.string(out, value.array(), 0, value.length());
        endField();
    }

    @Override
    public void anyField(int column, Bytes yson) {
        key(column);
        YsonNode value = DataFormat.YSON_BINARY.readValue(yson);
        YsonWriter.write(value, form, YsonWriter.Dialect.YT, FIELD_DEPTH, out);
        endField();
    }

    @Override
    public void endRow() {
        if (isPretty() && !isEmptyRow) {
            out.putByte('\n');
        }
        out.putByte('}');
        endLine();
    }

    @Override
    public void missingRow() {
        out.putByte('#');
        endLine();
    }

    private void endLine() {
        out.putByte(';');
        out.putByte('\n');
        rowEnded();
    }
}
