package io.cleave.yql;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// C-style escapes after a backslash, such as `n`, `x41`, `101`, `u0416` and `U00000416`. Any other
/// character stands for itself.
final class Escapes {
    private Escapes() {}

    /// The bytes for the content of a quoted text. Hexadecimal and octal escapes are bytes;
    /// everything else is UTF-8.
    static byte[] decode(String body) {
        if (body.indexOf('\\') < 0) {
            return body.getBytes(StandardCharsets.UTF_8);
        }
        var bytes = new ByteArrayOutputStream(body.length());
        int index = 0;
        while (index < body.length()) {
            int escape = body.indexOf('\\', index);
            if (escape < 0 || escape + 1 == body.length()) {
                bytes.writeBytes(body.substring(index).getBytes(StandardCharsets.UTF_8));
                break;
            }
            bytes.writeBytes(body.substring(index, escape).getBytes(StandardCharsets.UTF_8));
            index = decodeOne(body, escape + 1, bytes);
        }
        return bytes.toByteArray();
    }

    /// Decodes the escape at `at`, after the backslash. Returns where the text continues.
    private static int decodeOne(String body, int at, ByteArrayOutputStream bytes) {
        char kind = body.charAt(at);
        int plain = "abfnrtv".indexOf(kind);
        if (plain >= 0) {
            bytes.write("\u0007\b\f\n\r\t\u000B".charAt(plain));
            return at + 1;
        }
        if (kind == 'x') {
            int to = digitsTo(body, at + 1, 2, 16);
            if (to > at + 1) {
                bytes.write(Integer.parseInt(body, at + 1, to, 16));
                return to;
            }
        }
        if (kind >= '0' && kind <= '7') {
            int to = digitsTo(body, at, kind <= '3' ? 3 : 2, 8);
            bytes.write(Integer.parseInt(body, at, to, 8));
            return to;
        }
        if (kind == 'u' || kind == 'U') {
            int digits = kind == 'u' ? 4 : 8;
            int to = digitsTo(body, at + 1, digits, 16);
            if (to == at + 1 + digits) {
                return decodeUnicode(body, at + 1, to, bytes);
            }
        }
        int codePoint = body.codePointAt(at);
        bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
        return at + Character.charCount(codePoint);
    }

    private static int decodeUnicode(String body, int from, int to, ByteArrayOutputStream bytes) {
        long first = Long.parseLong(body, from, to, 16);
        int codePoint = first > Character.MAX_CODE_POINT ? 0xFFFD : (int) first;
        int next = to;
        if (Character.MIN_HIGH_SURROGATE <= codePoint
                && codePoint <= Character.MAX_HIGH_SURROGATE
                && body.startsWith("\\u", to)
                && digitsTo(body, to + 2, 4, 16) == to + 6) {
            char low = (char) Integer.parseInt(body, to + 2, to + 6, 16);
            if (Character.isLowSurrogate(low)) {
                codePoint = Character.toCodePoint((char) codePoint, low);
                next = to + 6;
            }
        }
        bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
        return next;
    }

    /// The end of the digits that begin at `from`, after at most `count` of them.
    private static int digitsTo(String body, int from, int count, int radix) {
        int to = from;
        while (to < body.length()
                && to < from + count
                && Character.digit(body.charAt(to), radix) >= 0) {
            to++;
        }
        return to;
    }
}
