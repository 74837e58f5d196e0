package io.cleave.value;

import io.cleave.base.ByteWriter;

import java.nio.charset.StandardCharsets;

/// Writes scalars in the text form of YSON.
public final class YsonText {
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private YsonText() {}

    /// Writes a number in decimal digits.
    public static void int64(ByteWriter target, long value) {
        ascii(target, Long.toString(value));
    }

    public static void uint64(ByteWriter target, long value) {
        ascii(target, Long.toUnsignedString(value));
        target.putByte('u');
    }

    public static void real(ByteWriter target, double value) {
        if (!Double.isFinite(value)) {
            target.putByte('%');
        }
        String digits = RealText.print(value);
        ascii(target, digits);
        // Without a point it would be read as an integer.
        if (Double.isFinite(value) && digits.indexOf('.') < 0 && digits.indexOf('e') < 0) {
            target.putByte('.');
        }
    }

    public static void bool(ByteWriter target, boolean value) {
        ascii(target, value ? "%true" : "%false");
    }

    /// Writes a string in quotes, escaped as YTsaurus does: bytes that are not printable are `\n`,
    /// `\r`, `\t`, one octal digit, two hexadecimal digits or three octal digits, the first of
    /// these that the next byte does not extend.
    public static void string(ByteWriter target, byte[] data, int from, int to) {
        target.putByte('"');
        int copied = from;
        for (int index = from; index < to; index++) {
            int c = data[index] & 0xFF;
            if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
                continue;
            }
            target.put(data, copied, index);
            copied = index + 1;
            int next = copied < to ? data[copied] & 0xFF : 0;
            escape(target, c, next);
        }
        target.put(data, copied, to);
        target.putByte('"');
    }

    private static void escape(ByteWriter target, int c, int next) {
        target.putByte('\\');
        switch (c) {
            case '"', '\\' -> target.putByte(c);
            case '\n' -> target.putByte('n');
            case '\r' -> target.putByte('r');
            case '\t' -> target.putByte('t');
            default -> {
                if (c < 8 && !(next >= '0' && next <= '7')) {
                    target.putByte('0' + c);
                } else if (Character.digit(next, 16) < 0) {
                    hex(target, c);
                } else {
                    target.putByte('0' + (c >> 6));
                    target.putByte('0' + ((c >> 3) & 7));
                    target.putByte('0' + (c & 7));
                }
            }
        }
    }

    /// Writes a string in quotes, escaped as YQL does: every byte that is not printable is `\n`,
    /// `\r`, `\t` or two hexadecimal digits.
    static void yqlString(ByteWriter target, byte[] data) {
        target.putByte('"');
        for (byte b : data) {
            int c = b & 0xFF;
            if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
                target.putByte(c);
                continue;
            }
            target.putByte('\\');
            switch (c) {
                case '"', '\\' -> target.putByte(c);
                case '\n' -> target.putByte('n');
                case '\r' -> target.putByte('r');
                case '\t' -> target.putByte('t');
                default -> hex(target, c);
            }
        }
        target.putByte('"');
    }

    private static void hex(ByteWriter target, int c) {
        target.putByte('x');
        target.putByte(HEX[c >> 4]);
        target.putByte(HEX[c & 0x0F]);
    }

    static void ascii(ByteWriter target, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        target.put(bytes, 0, bytes.length);
    }
}
