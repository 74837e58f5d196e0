package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;

/// Rows as lines of values, with tabs between them. The columns are an attribute of the format. All
/// values that are read are strings.
///
/// @param columns the columns of each line, in this order; empty for all columns of a result
/// @param header whether the first line of the output has the names of the columns
record SchemafulDsvFormat(
        DsvSymbols symbols, List<Bytes> columns, Missing missing, Bytes sentinel, boolean header)
        implements DataFormat {
    /// What to do with a field that is null or missing.
    enum Missing {
        FAIL,
        SKIP_ROW,
        PRINT_SENTINEL
    }

    SchemafulDsvFormat {
        columns = List.copyOf(columns);
    }

    static SchemafulDsvFormat of(FormatAttributes attributes) {
        RowConversions.refuseOfStrings("schemaful_dsv", attributes);
        attributes.refuse("schemaful_dsv", "enable_table_index");
        List<Bytes> columns = attributes.texts("columns").orElse(List.of());
        refuseDuplicates(columns);
        return new SchemafulDsvFormat(
                DsvSymbols.of(attributes),
                columns,
                switch (attributes.choice(
                        "missing_value_mode", "fail", "fail", "skip_row", "print_sentinel")) {
                    case "skip_row" -> Missing.SKIP_ROW;
                    case "print_sentinel" -> Missing.PRINT_SENTINEL;
                    default -> Missing.FAIL;
                },
                Bytes.utf8(attributes.text("missing_value_sentinel", "")),
                attributes.flag("enable_column_names_header", false));
    }

    private static void refuseDuplicates(List<Bytes> columns) {
        var seen = new HashSet<Bytes>();
        for (Bytes column : columns) {
            if (!seen.add(column)) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Duplicate column name \"%s\" in schemaful DSV configuration"
                                .formatted(column.utf8()));
            }
        }
    }

    @Override
    public String contentType() {
        return "text/tab-separated-values";
    }

    @Override
    public YsonNode readValue(Bytes body) {
        return readValue(body, CallMemory.unlimited());
    }

    @Override
    public YsonNode readValue(Bytes body, CallMemory memory) {
        throw DsvFormat.onlyRows("Schemaful DSV");
    }

    @Override
    public Bytes writeValue(YsonNode value) {
        throw DsvFormat.onlyRows("Schemaful DSV");
    }

    @Override
    public void writeValue(YsonNode value, OutputStream sink) {
        throw DsvFormat.onlyRows("Schemaful DSV");
    }

    @Override
    public RowInput rows(InputStream body, long expectedBytes, CallMemory memory) {
        requireColumns();
        return new SchemafulDsvRowInput(this, RowWindow.expecting(body, expectedBytes, memory));
    }

    @Override
    public RowInput rows(byte[] body, CallMemory memory) {
        requireColumns();
        return new SchemafulDsvRowInput(this, new RowWindow(body, memory));
    }

    private void requireColumns() {
        if (columns.isEmpty()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Format schemaful_dsv needs the attribute \"columns\" to read rows");
        }
    }

    @Override
    public EncodedRowOutput rowOutput(OutputStream sink) {
        return new SchemafulDsvRowOutput(this, sink);
    }
}
