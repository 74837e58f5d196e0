package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.InputStream;
import java.io.OutputStream;

/// Rows as lines of `name=value`, with tabs between them. All values that are read are strings.
record DsvFormat(DsvSymbols symbols, boolean skipUnsupportedTypes) implements DataFormat {
    static final DsvFormat USUAL = of(new FormatAttributes(YsonNode.Members.EMPTY));

    static DsvFormat of(FormatAttributes attributes) {
        RowConversions.refuseOfStrings("dsv", attributes);
        attributes.refuse("dsv", "line_prefix", "enable_table_index");
        return new DsvFormat(
                DsvSymbols.of(attributes), attributes.flag("skip_unsupported_types", false));
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
        throw onlyRows("DSV");
    }

    @Override
    public Bytes writeValue(YsonNode value) {
        throw onlyRows("DSV");
    }

    @Override
    public void writeValue(YsonNode value, OutputStream sink) {
        throw onlyRows("DSV");
    }

    static YtException onlyRows(String name) {
        return new YtException(YtCodes.GENERIC, name + " is supported only for tabular data");
    }

    @Override
    public RowInput rows(InputStream body, long expectedBytes, CallMemory memory) {
        return new DsvRowInput(symbols, RowWindow.expecting(body, expectedBytes, memory));
    }

    @Override
    public RowInput rows(byte[] body, CallMemory memory) {
        return new DsvRowInput(symbols, new RowWindow(body, memory));
    }

    @Override
    public EncodedRowOutput rowOutput(OutputStream sink) {
        return new DsvRowOutput(this, sink);
    }
}
