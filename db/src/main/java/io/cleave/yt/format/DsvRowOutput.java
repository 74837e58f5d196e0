package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes rows in DSV. Fields that are null are left out; a missing row is an empty line.
final class DsvRowOutput extends EncodedRowOutput {
    private final DsvFormat format;

    /// For each column: its name and the separator after it.
    private byte[][] keys = {};

    private boolean isFirstField;

    DsvRowOutput(DsvFormat format, OutputStream sink) {
        super(sink);
        this.format = format;
    }

    @Override
    public void columns(List<Bytes> names) {
        keys = new byte[names.size()][];
        for (int column = 0; column < keys.length; column++) {
            var key = new ByteWriter(names.get(column).length() + 8);
            format.symbols().write(names.get(column).array(), true, key);
            key.putByte(format.symbols().keyValue());
            keys[column] = key.toArray();
        }
    }

    @Override
    public void beginRow() {
        isFirstField = true;
    }

    @Override
    public void nullField(int column) {}

    @Override
    public void intField(int column, long value) {
        field(column, ascii(Long.toString(value)));
    }

    @Override
    public void uintField(int column, long value) {
        field(column, ascii(Long.toUnsignedString(value)));
    }

    @Override
    public void doubleField(int column, double value) {
        field(column, real(value));
    }

    @Override
    public void booleanField(int column, boolean value) {
        field(column, ascii(Boolean.toString(value)));
    }

    @Override
    public void stringField(int column, Bytes value) {
        field(column, value.array());
    }

    @Override
    public void anyField(int column, Bytes yson) {
        if (!format.skipUnsupportedTypes()) {
            throw noAny("DSV");
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] real(double value) {
        return ascii(TextForm.print(Type.Primitive.DOUBLE, Value.of(value)));
    }

    static YtException noAny(String name) {
        return new YtException(
                YtCodes.GENERIC, "Values of type \"any\" are not supported by " + name);
    }

    private void field(int column, byte[] value) {
        if (!isFirstField) {
            out.putByte(format.symbols().field());
        }
        isFirstField = false;
        out.put(keys[column], 0, keys[column].length);
        format.symbols().write(value, false, out);
    }

    @Override
    public void endRow() {
        out.putByte(format.symbols().record());
        rowEnded();
    }

    @Override
    public void missingRow() {
        endRow();
    }
}
