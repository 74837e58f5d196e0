package io.cleave.value;

import io.cleave.base.Bytes;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Writes YSON: as text on one line, as text with one line for each item, or in binary form.
public final class YsonWriter {
    public enum Format {
        TEXT,
        PRETTY,
        BINARY
    }

    private static final int INDENT = 4;

    private final Format format;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private YsonWriter(Format format) {
        this.format = format;
    }

    public static Bytes write(YsonNode node, Format format) {
        var writer = new YsonWriter(format);
        writer.node(node, 0);
        return Bytes.wrap(writer.out.toByteArray());
    }

    private void node(YsonNode node, int depth) {
        switch (node) {
            case YsonNode.Entity _ -> out.write('#');
            case YsonNode.Bool(boolean value) -> {
                if (format == Format.BINARY) {
                    out.write(value ? 0x05 : 0x04);
                } else {
                    text(value ? "%true" : "%false");
                }
            }
            case YsonNode.Int64(long value) -> {
                if (format == Format.BINARY) {
                    out.write(0x02);
                    varint(value << 1 ^ value >> 63);
                } else {
                    text(Long.toString(value));
                }
            }
            case YsonNode.Uint64(long value) -> {
                if (format == Format.BINARY) {
                    out.write(0x06);
                    varint(value);
                } else {
                    text(Long.toUnsignedString(value) + "u");
                }
            }
            case YsonNode.Real(double value) -> real(value);
            case YsonNode.Text(Bytes value) -> string(value);
            case YsonNode.Items(var items) -> {
                out.write('[');
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
                    out.write(' ');
                }
                node(value, depth);
            }
        }
    }

    private void members(YsonNode.Members members, char opening, char closing, int depth) {
        out.write(opening);
        boolean first = true;
        for (var member : members.members().entrySet()) {
            begin(first, depth + 1);
            string(member.getKey());
            text(format == Format.PRETTY ? " = " : "=");
            node(member.getValue(), depth + 1);
            first = false;
        }
        end(first, depth, closing);
    }

    private void begin(boolean first, int depth) {
        if (!first) {
            out.write(';');
        }
        line(depth);
    }

    private void end(boolean empty, int depth, char closing) {
        if (!empty) {
            line(depth);
        }
        out.write(closing);
    }

    private void line(int depth) {
        if (format == Format.PRETTY) {
            text("\n" + " ".repeat(depth * INDENT));
        }
    }

    private void real(double value) {
        if (format == Format.BINARY) {
            out.write(0x03);
            out.writeBytes(
                    ByteBuffer.allocate(Double.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putDouble(value)
                            .array());
            return;
        }
        if (!Double.isFinite(value)) {
            text("%" + RealText.print(value));
            return;
        }
        String text = RealText.print(value);
        boolean looksWhole = text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        text(looksWhole ? text + "." : text);
    }

    private void string(Bytes value) {
        if (format == Format.BINARY) {
            out.write(0x01);
            varint((long) value.length() << 1);
            out.writeBytes(value.array());
            return;
        }
        out.write('"');
        for (byte b : value.array()) {
            int c = b & 0xFF;
            switch (c) {
                case '"' -> text("\\\"");
                case '\\' -> text("\\\\");
                case '\n' -> text("\\n");
                case '\r' -> text("\\r");
                case '\t' -> text("\\t");
                default -> {
                    if (c >= ' ' && c < 0x7F) {
                        out.write(c);
                    } else {
                        text("\\x%02X".formatted(c));
                    }
                }
            }
        }
        out.write('"');
    }

    private void varint(long number) {
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private void text(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
