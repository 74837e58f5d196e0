package io.cleave.function.text;

import io.cleave.base.Bytes;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// Encodings of bytes: Base32, and the escapes of C and HTML.
final class StringCodes {
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int GROUP_BITS = 5;
    private static final int GROUP_LETTERS = 8;

    private static final Map<Character, Character> C_LETTERS =
            Map.of(
                    'a', '\u0007', 'b', '\b', 'f', '\f', 'n', '\n', 'r', '\r', 't', '\t', 'v',
                    '\u000B');

    private static final Map<String, String> HTML =
            Map.of("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", "\"", "&#39;", "'");

    private StringCodes() {}

    static Bytes encodeBase32(Bytes data) {
        var out = new StringBuilder();
        long bits = 0;
        int count = 0;
        for (byte b : data.array()) {
            bits = bits << Byte.SIZE | (b & 0xFF);
            count += Byte.SIZE;
            while (count >= GROUP_BITS) {
                count -= GROUP_BITS;
                out.append(BASE32.charAt((int) (bits >>> count) & 31));
            }
        }
        if (count > 0) {
            out.append(BASE32.charAt((int) (bits << (GROUP_BITS - count)) & 31));
        }
        while (out.length() % GROUP_LETTERS != 0) {
            out.append('=');
        }
        return Bytes.utf8(out.toString());
    }

    /// Empty if the data is not Base32; with `strict` the padding is required too.
    static Optional<Bytes> decodeBase32(Bytes data, boolean strict) {
        String text = new String(data.array(), StandardCharsets.ISO_8859_1);
        if (strict && text.length() % GROUP_LETTERS != 0) {
            return Optional.empty();
        }
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '=') {
            end--;
        }
        var out = new ByteArrayOutputStream();
        long bits = 0;
        int count = 0;
        for (int at = 0; at < end; at++) {
            int digit = BASE32.indexOf(text.charAt(at));
            if (digit < 0) {
                return Optional.empty();
            }
            bits = bits << GROUP_BITS | digit;
            count += GROUP_BITS;
            if (count >= Byte.SIZE) {
                count -= Byte.SIZE;
                out.write((int) (bits >>> count));
            }
        }
        return Optional.of(Bytes.wrap(out.toByteArray()));
    }

    /// Quotes, backslashes and characters that cannot be printed are escaped.
    static Bytes escapeC(Bytes data) {
        var out = new StringBuilder();
        byte[] bytes = data.array();
        for (int at = 0; at < bytes.length; at++) {
            char c = (char) (bytes[at] & 0xFF);
            boolean digitFollows =
                    at + 1 < bytes.length && Character.digit(bytes[at + 1] & 0xFF, 16) >= 0;
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c >= ' ' && c < 0x7F) {
                        out.append(c);
                    } else if (digitFollows || c >= 0x80) {
                        out.append("\\%03o".formatted((int) c));
                    } else {
                        out.append("\\x%02X".formatted((int) c));
                    }
                }
            }
        }
        return Bytes.utf8(out.toString());
    }

    static Bytes unescapeC(Bytes data) {
        var out = new ByteArrayOutputStream();
        byte[] bytes = data.array();
        int at = 0;
        while (at < bytes.length) {
            int c = bytes[at++] & 0xFF;
            if (c != '\\' || at == bytes.length) {
                out.write(c);
                continue;
            }
            int next = bytes[at++] & 0xFF;
            Character letter = C_LETTERS.get((char) next);
            if (letter != null) {
                out.write(letter);
            } else if (next == 'x') {
                int to = skipDigits(bytes, at, 16, 2);
                out.write(to == at ? 'x' : number(bytes, at, to, 16));
                at = to;
            } else if (next == 'u' && skipDigits(bytes, at, 16, 4) == at + 4) {
                out.writeBytes(
                        Character.toString(number(bytes, at, at + 4, 16))
                                .getBytes(StandardCharsets.UTF_8));
                at += 4;
            } else if (next >= '0' && next <= '7') {
                int to = skipDigits(bytes, at - 1, 8, 3);
                out.write(number(bytes, at - 1, to, 8));
                at = to;
            } else {
                out.write(next);
            }
        }
        return Bytes.wrap(out.toByteArray());
    }

    private static int skipDigits(byte[] bytes, int from, int radix, int most) {
        int at = from;
        while (at < bytes.length
                && at < from + most
                && Character.digit(bytes[at] & 0xFF, radix) >= 0) {
            at++;
        }
        return at;
    }

    private static int number(byte[] bytes, int from, int to, int radix) {
        int number = 0;
        for (int at = from; at < to; at++) {
            number = number * radix + Character.digit(bytes[at], radix);
        }
        return number;
    }

    static String encodeHtml(String text) {
        var out = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    /// Decodes the five entities that have to be escaped, and numeric entities.
    static String decodeHtml(String text) {
        var out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = c == '&' ? text.indexOf(';', at) : -1;
            String entity = end < 0 ? "" : text.substring(at, end + 1);
            String known = HTML.get(entity);
            if (known == null && entity.matches("&#[0-9]{1,7};")) {
                int code = Integer.parseInt(entity, 2, entity.length() - 1, 10);
                known = Character.isValidCodePoint(code) ? Character.toString(code) : null;
            }
            if (known == null) {
                out.append(c);
                at++;
            } else {
                out.append(known);
                at = end + 1;
            }
        }
        return out.toString();
    }
}
