package io.cleave.value;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// Writes YSON: as text on one line, as text with one line for each item, or in binary form.
public final class YsonWriter {
    public enum Format {
        TEXT,
        PRETTY,
        BINARY
    }

    /// The two conventions of the text and binary forms. Both are read by every reader.
    public enum Dialect {
        /// `;` stands between items, as YQL's functions write it.
        YQL,
        /// `;` follows every item, as servers of YTsaurus write it.
        YT
    }

    private static final int INDENT = 4;
    private static final int USUAL_BYTES = 64;

    /// Bytes for a sink are handed on in blocks of about this size.
    private static final int BLOCK_BYTES = 32 << 10;

    private final Format format;
    private final Dialect dialect;
    private final ByteWriter out;
    private final @Nullable OutputStream sink;

    private YsonWriter(
            Format format, Dialect dialect, ByteWriter out, @Nullable OutputStream sink) {
        this.format = format;
        this.dialect = dialect;
        this.out = out;
        this.sink = sink;
    }

    /// The value as YQL's functions write it.
    public static Bytes write(YsonNode node, Format format) {
        return write(node, format, Dialect.YQL);
    }

    public static Bytes write(YsonNode node, Format format, Dialect dialect) {
        var out = new ByteWriter(USUAL_BYTES);
        write(node, format, dialect, 0, out);
        return Bytes.wrap(out.toArray());
    }

    /// Appends the value. `depth` is how deeply the value is nested in what is there, for the
    /// indentation.
    public static void write(
            YsonNode node, Format format, Dialect dialect, int depth, ByteWriter target) {
        new YsonWriter(format, dialect, target, null).node(node, depth);
    }

    /// Writes the value to the sink, in blocks, so that its bytes are never in memory as a whole.
    public static void write(YsonNode node, Format format, Dialect dialect, OutputStream sink)
            throws IOException {
        var out = new ByteWriter(USUAL_BYTES);
        try {
            new YsonWriter(format, dialect, out, sink).node(node, 0);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        sink.write(out.array(), 0, out.length());
    }

    private void handOnBlock() {
        OutputStream target = sink;
        if (target == null || out.length() < BLOCK_BYTES) {
            return;
        }
        try {
            target.write(out.array(), 0, out.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.clear();
    }

    private void node(YsonNode node, int depth) {
        switch (node) {
            case YsonNode.Entity _ -> out.putByte('#');
            case YsonNode.Bool(boolean value) -> {
                if (format == Format.BINARY) {
                    YsonBinary.bool(out, value);
                } else {
                    YsonText.bool(out, value);
                }
            }
            case YsonNode.Int64(long value) -> {
                if (format == Format.BINARY) {
                    YsonBinary.int64(out, value);
                } else {
                    YsonText.int64(out, value);
                }
            }
            case YsonNode.Uint64(long value) -> {
                if (format == Format.BINARY) {
                    YsonBinary.uint64(out, value);
                } else {
                    YsonText.uint64(out, value);
                }
            }
            case YsonNode.Real(double value) -> {
                if (format == Format.BINARY) {
                    YsonBinary.real(out, Double.doubleToRawLongBits(value));
                } else {
                    YsonText.real(out, value);
                }
            }
            case YsonNode.Text(Bytes value) -> string(value);
            case YsonNode.Items(var items) -> {
                out.putByte('[');
                boolean first = true;
                for (YsonNode item : items) {
                    begin(first, depth + 1);
                    node(item, depth + 1);
                    first = false;
                }
                end(first, depth, ']');
            }
            case YsonNode.Members members -> members(members, '{', '}', depth);
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value) -> {
                members(attributes, '<', '>', depth);
                if (format == Format.PRETTY) {
                    out.putByte(' ');
                }
                node(value, depth);
            }
        }
    }

    private void members(YsonNode.Members members, char opening, char closing, int depth) {
        out.putByte(opening);
        boolean first = true;
        for (var member : members.members().entrySet()) {
            begin(first, depth + 1);
            string(member.getKey());
            if (format == Format.PRETTY) {
                YsonText.ascii(out, " = ");
            } else {
                out.putByte('=');
            }
            node(member.getValue(), depth + 1);
            first = false;
        }
        end(first, depth, closing);
    }

    private void begin(boolean first, int depth) {
        handOnBlock();
        if (!first) {
            out.putByte(';');
        }
        line(depth);
    }

    private void end(boolean empty, int depth, char closing) {
        if (!empty) {
            if (dialect == Dialect.YT) {
                out.putByte(';');
            }
            line(depth);
        }
        out.putByte(closing);
    }

    private void line(int depth) {
        if (format == Format.PRETTY) {
            out.putByte('\n');
            for (int column = 0; column < depth * INDENT; column++) {
                out.putByte(' ');
            }
        }
    }

    private void string(Bytes value) {
        if (format == Format.BINARY) {
            YsonBinary.string(out, value.array(), 0, value.length());
        } else if (dialect == Dialect.YT) {
            YsonText.string(out, value.array(), 0, value.length());
        } else {
            YsonText.yqlString(out, value.array());
        }
    }
}
