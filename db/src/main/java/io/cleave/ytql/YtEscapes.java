package io.cleave.ytql;

import io.cleave.base.Bytes;

import java.io.ByteArrayOutputStream;

/// The escapes of C in quoted texts. Each char of a text is one byte.
final class YtEscapes {
    private static final int MAX_OCTAL_DIGITS = 3;
    private static final int MAX_HEX_DIGITS = 2;

    private YtEscapes() {}

    static Bytes unescaped(String quoted) {
        var bytes = new ByteArrayOutputStream(quoted.length());
        int at = 0;
        while (at < quoted.length()) {
            char c = quoted.charAt(at++);
            if (c != '\\' || at == quoted.length()) {
                bytes.write(c);
                continue;
            }
            char escaped = quoted.charAt(at++);
            switch (escaped) {
                case 'a' -> bytes.write(7);
                case 'b' -> bytes.write('\b');
                case 'f' -> bytes.write('\f');
                case 'n' -> bytes.write('\n');
                case 'r' -> bytes.write('\r');
                case 't' -> bytes.write('\t');
                case 'v' -> bytes.write(11);
                case 'x' -> {
                    int end = digits(quoted, at, 16, MAX_HEX_DIGITS);
                    if (end == at) {
                        bytes.write('x');
                    } else {
                        bytes.write(Integer.parseInt(quoted.substring(at, end), 16));
                        at = end;
                    }
                }
                case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                    int most = escaped > '3' ? MAX_OCTAL_DIGITS - 1 : MAX_OCTAL_DIGITS;
                    int end = digits(quoted, at - 1, 8, most);
                    bytes.write(Integer.parseInt(quoted.substring(at - 1, end), 8));
                    at = end;
                }
                case 'u' -> at = unicode(quoted, at, 4, bytes);
                case 'U' -> at = unicode(quoted, at, 8, bytes);
                default -> bytes.write(escaped);
            }
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    private static int unicode(String quoted, int from, int length, ByteArrayOutputStream bytes) {
        int end = digits(quoted, from, 16, length);
        if (end - from < length) {
            bytes.write(quoted.charAt(from - 1));
            return from;
        }
        long point = Long.parseLong(quoted.substring(from, end), 16);
        bytes.writeBytes(
                Character.isValidCodePoint((int) Math.min(point, Integer.MAX_VALUE))
                        ? Bytes.utf8(Character.toString((int) point)).array()
                        : Bytes.utf8("\uFFFD").array());
        return end;
    }

    private static int digits(String text, int from, int radix, int most) {
        int at = from;
        while (at < text.length()
                && at - from < most
                && text.charAt(at) < 128
                && Character.digit(text.charAt(at), radix) >= 0) {
            at++;
        }
        return at;
    }

    /// The bytes as YTsaurus prints them inside quotes.
    static String escaped(Bytes bytes) {
        var text = new StringBuilder();
        byte[] all = bytes.array();
        for (int index = 0; index < all.length; index++) {
            int b = all[index] & 0xff;
            switch (b) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (b >= 32 && b <= 126) {
                        text.append((char) b);
                    } else {
                        appendNumber(text, b, index + 1 < all.length ? all[index + 1] : 0);
                    }
                }
            }
        }
        return text.toString();
    }

    /// Appends an octal number if it is short and no digit follows, otherwise hexadecimal digits.
    private static void appendNumber(StringBuilder text, int b, int next) {
        boolean octal = next >= '0' && next <= '7';
        boolean hex = Character.digit((char) next, 16) >= 0;
        if (b < 8 && !octal) {
            text.append('\\').append((char) ('0' + b));
        } else if (!hex) {
            text.append("\\x%02X".formatted(b));
        } else {
            text.append("\\%03o".formatted(b));
        }
    }
}
