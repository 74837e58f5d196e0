package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Writes JSON with YTsaurus' conventions; [JsonFormat] describes them.
///
/// Threads: one at a time.
final class YtJsonWriter {
    private static final int INDENT = 4;
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /// Bytes are sent to the sink in blocks of about this size.
    private static final int BLOCK_BYTES = 32 << 10;

    private final JsonFormat format;
    private final ByteWriter out;
    private final @Nullable OutputStream sink;

    YtJsonWriter(JsonFormat format, ByteWriter out) {
        this(format, out, null);
    }

    private YtJsonWriter(JsonFormat format, ByteWriter out, @Nullable OutputStream sink) {
        this.format = format;
        this.out = out;
        this.sink = sink;
    }

    static Bytes write(JsonFormat format, YsonNode value) {
        var out = new ByteWriter(64);
        new YtJsonWriter(format, out).whole(value);
        return Bytes.wrap(out.toArray());
    }

    /// Writes the value to the sink while it is converted.
    static void write(JsonFormat format, YsonNode value, OutputStream sink) throws IOException {
        var out = new ByteWriter(64);
        try {
            new YtJsonWriter(format, out, sink).whole(value);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        sink.write(out.array(), 0, out.length());
    }

    private void whole(YsonNode value) {
        value(value, 0);
        if (format.pretty()) {
            out.putByte('\n');
        }
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

    void value(YsonNode node, int depth) {
        YsonNode.Members attributes = node.attributes();
        boolean hasAttributes =
                node instanceof YsonNode.Attributed
                        && format.attributes() != JsonFormat.Attributes.NEVER;
        boolean typed =
                format.annotateWithTypes()
                        && format.attributes() != JsonFormat.Attributes.NEVER
                        && !typeOf(node.bare()).isEmpty();
        boolean always = format.attributes() == JsonFormat.Attributes.ALWAYS && !typed;
        if (!hasAttributes && !typed && !always) {
            bare(node.bare(), depth);
            return;
        }
        out.putByte('{');
        boolean first = true;
        if (hasAttributes || always) {
            name("$attributes", true, depth + 1);
            members(attributes, depth + 1);
            first = false;
        }
        if (typed) {
            name("$type", first, depth + 1);
            quoted(typeOf(node.bare()));
            first = false;
        }
        name("$value", first, depth + 1);
        bare(node.bare(), depth + 1);
        line(depth);
        out.putByte('}');
    }

    private static String typeOf(YsonNode node) {
        return switch (node) {
            case YsonNode.Int64 _ -> "int64";
            case YsonNode.Uint64 _ -> "uint64";
            case YsonNode.Real _ -> "double";
            case YsonNode.Bool _ -> "boolean";
            case YsonNode.Text _ -> "string";
            case YsonNode.Entity _, YsonNode.Items _, YsonNode.Members _, YsonNode.Attributed _ ->
                    "";
        };
    }

    private void bare(YsonNode node, int depth) {
        switch (node) {
            case YsonNode.Entity _ -> ascii("null");
            case YsonNode.Bool(boolean value) -> bool(value);
            case YsonNode.Int64(long value) -> int64(value);
            case YsonNode.Uint64(long value) -> uint64(value);
            case YsonNode.Real(double value) -> real(value);
            case YsonNode.Text(Bytes value) -> string(value.array(), 0, value.length());
            case YsonNode.Items(var items) -> {
                out.putByte('[');
                boolean first = true;
                for (YsonNode item : items) {
                    begin(first, depth + 1);
                    value(item, depth + 1);
                    first = false;
                }
                if (!first) {
                    line(depth);
                }
                out.putByte(']');
            }
            case YsonNode.Members members -> members(members, depth);
            case YsonNode.Attributed attributed -> value(attributed, depth);
        }
    }

    private void members(YsonNode.Members members, int depth) {
        out.putByte('{');
        boolean first = true;
        for (var member : members.members().entrySet()) {
            begin(first, depth + 1);
            key(member.getKey());
            out.putByte(':');
            if (format.pretty()) {
                out.putByte(' ');
            }
            value(member.getValue(), depth + 1);
            first = false;
        }
        if (!first) {
            line(depth);
        }
        out.putByte('}');
    }

    /// Writes the name of a member. A name that begins with `$` gets one more `$`.
    void key(Bytes name) {
        if (!name.isEmpty() && name.at(0) == '$') {
            byte[] escaped = new byte[name.length() + 1];
            escaped[0] = '$';
            System.arraycopy(name.array(), 0, escaped, 1, name.length());
            string(escaped, 0, escaped.length);
        } else {
            string(name.array(), 0, name.length());
        }
    }

    private void name(String name, boolean first, int depth) {
        begin(first, depth);
        quoted(name);
        out.putByte(':');
        if (format.pretty()) {
            out.putByte(' ');
        }
    }

    private void begin(boolean first, int depth) {
        handOnBlock();
        if (!first) {
            out.putByte(',');
        }
        line(depth);
    }

    private void line(int depth) {
        if (format.pretty()) {
            out.putByte('\n');
            for (int column = 0; column < depth * INDENT; column++) {
                out.putByte(' ');
            }
        }
    }

    private void bool(boolean value) {
        scalar(value ? "true" : "false");
    }

    private void int64(long value) {
        scalar(Long.toString(value));
    }

    private void uint64(long value) {
        scalar(Long.toUnsignedString(value));
    }

    private void real(double value) {
        if (Double.isFinite(value)) {
            String digits = TextForm.print(Type.Primitive.DOUBLE, Value.of(value));
            // Without a point it would be read as an integer.
            boolean isWhole = digits.indexOf('.') < 0 && digits.indexOf('e') < 0;
            scalar(isWhole && !format.stringify() ? digits + ".0" : digits);
            return;
        }
        String name = Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        boolean quoted = format.stringify() || format.infinity() == JsonFormat.Infinity.QUOTED;
        if (quoted) {
            quoted(name);
        } else if (format.infinity() == JsonFormat.Infinity.UNQUOTED) {
            if (Double.isNaN(value)) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Unexpected NaN encountered during JSON writing; consider"
                                + " \"stringify_nan_and_infinity\" config option");
            }
            ascii(name);
        } else {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Unexpected NaN or infinity encountered during JSON writing; consider using"
                            + " either \"support_infinity\" or \"stringify_nan_and_infinity\""
                            + " config options");
        }
    }

    private void scalar(String literal) {
        if (format.stringify()) {
            quoted(literal);
        } else {
            ascii(literal);
        }
    }

    void ascii(String literal) {
        byte[] bytes = literal.getBytes(StandardCharsets.US_ASCII);
        out.put(bytes, 0, bytes.length);
    }

    private void quoted(String literal) {
        out.putByte('"');
        ascii(literal);
        out.putByte('"');
    }

    private void string(byte[] data, int from, int to) {
        if (!format.encodeUtf8() && !isUtf8(data, from, to)) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Invalid UTF-8 string in JSON; consider using \"encode_utf8=true\" in format"
                            + " options");
        }
        out.putByte('"');
        int copied = from;
        for (int index = from; index < to; index++) {
            int c = data[index] & 0xFF;
            boolean plain = c >= ' ' && c != '"' && c != '\\' && (c < 0x80 || !format.encodeUtf8());
            if (plain) {
                continue;
            }
            out.put(data, copied, index);
            copied = index + 1;
            if (c >= 0x80) {
                out.putByte(0xC0 | (c >> 6));
                out.putByte(0x80 | (c & 0x3F));
            } else {
                escape(c);
            }
        }
        out.put(data, copied, to);
        out.putByte('"');
    }

    private void escape(int c) {
        out.putByte('\\');
        switch (c) {
            case '"', '\\' -> out.putByte(c);
            case '\n' -> out.putByte('n');
            case '\r' -> out.putByte('r');
            case '\t' -> out.putByte('t');
            case '\f' -> out.putByte('f');
            case '\b' -> out.putByte('b');
            default -> {
                ascii("u00");
                out.putByte(HEX[c >> 4]);
                out.putByte(HEX[c & 0x0F]);
            }
        }
    }

    private static boolean isUtf8(byte[] data, int from, int to) {
        int index = from;
        while (index < to && data[index] >= 0) {
            index++;
        }
        if (index == to) {
            return true;
        }
        try {
            var _ =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(data, index, to - index));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }
}
