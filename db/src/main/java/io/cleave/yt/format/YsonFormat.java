package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonException;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonReader;
import io.cleave.value.YsonWriter;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// YSON as text, as pretty text or in binary form. Each of the three is accepted as input, whatever
/// the format says.
///
/// @param skipsNulls whether fields of rows that are null are left out
record YsonFormat(YsonWriter.Format form, boolean skipsNulls) implements DataFormat {
    YsonFormat(YsonWriter.Format form) {
        this(form, false);
    }

    static YsonFormat of(FormatAttributes attributes) {
        RowConversions.refuse("yson", attributes);
        return new YsonFormat(
                switch (attributes.choice("format", "binary", "binary", "text", "pretty")) {
                    case "text" -> YsonWriter.Format.TEXT;
                    case "pretty" -> YsonWriter.Format.PRETTY;
                    default -> YsonWriter.Format.BINARY;
                },
                attributes.flag("skip_null_values", false));
    }

    @Override
    public String contentType() {
        return switch (form) {
            case TEXT -> "application/x-yt-yson-text";
            case PRETTY -> "application/x-yt-yson-pretty";
            case BINARY -> "application/x-yt-yson-binary";
        };
    }

    @Override
    public YsonNode readValue(Bytes body) {
        return readValue(body, CallMemory.unlimited());
    }

    @Override
    public YsonNode readValue(Bytes body, CallMemory memory) {
        try {
            return YsonReader.read(body, MAX_TREE_BYTES, memory::take);
        } catch (YsonException e) {
            throw BrokenInputException.of(e).toYt();
        }
    }

    @Override
    public Bytes writeValue(YsonNode value) {
        return YsonWriter.write(value, form, YsonWriter.Dialect.YT);
    }

    @Override
    public void writeValue(YsonNode value, OutputStream sink) throws IOException {
        YsonWriter.write(value, form, YsonWriter.Dialect.YT, sink);
    }

    @Override
    public RowInput rows(InputStream body, long expectedBytes, CallMemory memory) {
        return new YsonRowInput(RowWindow.expecting(body, expectedBytes, memory));
    }

    @Override
    public RowInput rows(byte[] body, CallMemory memory) {
        return new YsonRowInput(new RowWindow(body, memory));
    }

    @Override
    public EncodedRowOutput rowOutput(OutputStream sink) {
        return form == YsonWriter.Format.BINARY
                ? new BinaryRowOutput(skipsNulls, sink)
                : new TextRowOutput(form, skipsNulls, sink);
    }
}
