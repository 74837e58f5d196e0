package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonException;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonReader;
import io.cleave.value.YsonWriter;

import java.io.InputStream;
import java.io.OutputStream;

/// YSON as text, as pretty text or in binary form. Each of the three is accepted as input, whatever
/// the format says.
record YsonFormat(YsonWriter.Format form) implements DataFormat {
    static YsonFormat of(FormatAttributes attributes) {
        return new YsonFormat(
                switch (attributes.choice("format", "binary", "binary", "text", "pretty")) {
                    case "text" -> YsonWriter.Format.TEXT;
                    case "pretty" -> YsonWriter.Format.PRETTY;
                    default -> YsonWriter.Format.BINARY;
                });
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
        try {
            return YsonReader.read(body, MAX_TREE_BYTES);
        } catch (YsonException e) {
            throw BrokenInputException.of(e).toYt();
        }
    }

    @Override
    public Bytes writeValue(YsonNode value) {
        return YsonWriter.write(value, form, YsonWriter.Dialect.YT);
    }

    @Override
    public RowInput rows(InputStream body) {
        return new YsonRowInput(new RowWindow(body));
    }

    @Override
    public RowInput rows(byte[] body) {
        return new YsonRowInput(new RowWindow(body));
    }

    @Override
    public EncodedRowOutput rowOutput(OutputStream sink) {
        return form == YsonWriter.Format.BINARY
                ? new BinaryRowOutput(sink)
                : new TextRowOutput(form, sink);
    }
}
