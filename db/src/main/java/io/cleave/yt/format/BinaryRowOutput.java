package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.YsonBinary;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.io.OutputStream;
import java.util.List;

/// Writes rows in binary YSON.
final class BinaryRowOutput extends EncodedRowOutput {
    private final boolean skipsNulls;

    /// For each column: its name as a string, and `=`.
    private byte[][] keys = {};

    BinaryRowOutput(boolean skipsNulls, OutputStream sink) {
        super(sink);
        this.skipsNulls = skipsNulls;
    }

    @Override
    public void columns(List<Bytes> names) {
        keys = new byte[names.size()][];
        for (int column = 0; column < keys.length; column++) {
            Bytes name = names.get(column);
            var key = new ByteWriter(name.length() + 8);
            YsonBinary.string(key, name.array(), 0, name.length());
            key.putByte('=');
            keys[column] = key.toArray();
        }
    }

    @Override
    public void beginRow() {
        out.putByte('{');
    }

    @Override
    public void beginRow(YsonNode.Members attributes) {
        RowAttributes.write(attributes, YsonWriter.Format.BINARY, out);
        out.putByte('{');
    }

    private void key(int column) {
        byte[] key = keys[column];
        out.put(key, 0, key.length);
    }

    @Override
    public void nullField(int column) {
        if (skipsNulls) {
            return;
        }
        key(column);
        out.putByte('#');
        out.putByte(';');
    }

    @Override
    public void intField(int column, long value) {
        key(column);
        YsonBinary.int64(out, value);
        out.putByte(';');
    }

    @Override
    public void uintField(int column, long value) {
        key(column);
        YsonBinary.uint64(out, value);
        out.putByte(';');
    }

    @Override
    public void doubleField(int column, double value) {
        key(column);
        YsonBinary.real(out, Double.doubleToRawLongBits(value));
        out.putByte(';');
    }

    @Override
    public void booleanField(int column, boolean value) {
        key(column);
        YsonBinary.bool(out, value);
        out.putByte(';');
    }

    @Override
    public void stringField(int column, Bytes value) {
        key(column);
        YsonBinary.string(out, value.array(), 0, value.length());
        out.putByte(';');
    }

    @Override
    public void anyField(int column, Bytes yson) {
        key(column);
        out.put(yson.array(), 0, yson.length());
        out.putByte(';');
    }

    @Override
    public void endRow() {
        out.putByte('}');
        out.putByte(';');
        rowEnded();
    }

    @Override
    public void missingRow() {
        out.putByte('#');
        out.putByte(';');
        rowEnded();
    }
}
