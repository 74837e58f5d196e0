package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/// Writes rows in schemaful DSV: the columns of the format, or all columns.
final class SchemafulDsvRowOutput extends EncodedRowOutput {
    private final SchemafulDsvFormat format;

    /// The position of each column in the line; -1 for a column that is not written.
    private int[] places = {};

    private List<Bytes> written = List.of();
    private @Nullable Bytes[] fields = {};

    SchemafulDsvRowOutput(SchemafulDsvFormat format, OutputStream sink) {
        super(sink);
        this.format = format;
    }

    @Override
    public void columns(List<Bytes> names) {
        written = format.columns().isEmpty() ? List.copyOf(names) : format.columns();
        places = new int[names.size()];
        for (int column = 0; column < places.length; column++) {
            places[column] = written.indexOf(names.get(column));
        }
        fields = new Bytes[written.size()];
        if (format.header()) {
            for (int place = 0; place < written.size(); place++) {
                fields[place] = written.get(place);
            }
            endRow();
        }
    }

    @Override
    public void beginRow() {
        Arrays.fill(fields, null);
    }

    @Override
    public void nullField(int column) {}

    @Override
    public void intField(int column, long value) {
        field(column, Bytes.wrap(DsvRowOutput.ascii(Long.toString(value))));
    }

    @Override
    public void uintField(int column, long value) {
        field(column, Bytes.wrap(DsvRowOutput.ascii(Long.toUnsignedString(value))));
    }

    @Override
    public void doubleField(int column, double value) {
        field(column, Bytes.wrap(DsvRowOutput.real(value)));
    }

    @Override
    public void booleanField(int column, boolean value) {
        field(column, Bytes.wrap(DsvRowOutput.ascii(Boolean.toString(value))));
    }

    @Override
    public void stringField(int column, Bytes value) {
        field(column, value);
    }

    @Override
    public void anyField(int column, Bytes yson) {
        if (places[column] >= 0) {
            throw DsvRowOutput.noAny("schemaful DSV");
        }
    }

    private void field(int column, Bytes value) {
        if (places[column] >= 0) {
            fields[places[column]] = value;
        }
    }

    @Override
    public void endRow() {
        for (int place = 0; place < fields.length; place++) {
            if (fields[place] == null && !canMiss(place)) {
                return;
            }
        }
        for (int place = 0; place < fields.length; place++) {
            if (place > 0) {
                out.putByte(format.symbols().field());
            }
            Bytes field = fields[place];
            Bytes shown = field == null ? format.sentinel() : field;
            format.symbols().write(shown.array(), false, out);
        }
        out.putByte(format.symbols().record());
        rowEnded();
    }

    /// Whether the line is written if this field is missing. Throws if the format does not allow
    /// missing fields.
    private boolean canMiss(int place) {
        return switch (format.missing()) {
            case PRINT_SENTINEL -> true;
            case SKIP_ROW -> false;
            case FAIL ->
                    throw new YtException(
                            YtCodes.GENERIC,
                            "Column \"%s\" is in schema but missing"
                                    .formatted(written.get(place).utf8()));
        };
    }

    @Override
    public void missingRow() {
        Arrays.fill(fields, null);
        endRow();
    }
}
