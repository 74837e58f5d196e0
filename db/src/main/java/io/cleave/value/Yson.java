package io.cleave.value;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// Checks that bytes are exactly one YSON value, in its text or its binary form.
///
/// ```
/// value   = [ "<" map ">" ] ( "{" map "}" | "[" list "]" | scalar )
/// map     = string "=" value, separated by ";"
/// scalar  = "#" | %true | %false | %inf | %nan | number | string
/// string  = "…" with backslashes | a bare word
/// binary  = 0x01 length bytes | 0x02 varint | 0x03 8 bytes | 0x04 | 0x05 | 0x06 varint
/// ```
final class Yson {
    private static final int MAX_DEPTH = 256;
    private static final int MAX_VARINT_BYTES = 10;

    private final Bytes data;
    private int at;

    private Yson(Bytes data) {
        this.data = data;
    }

    static boolean isValid(Bytes data) {
        var yson = new Yson(data);
        boolean valid = yson.value(0);
        yson.skipSpace();
        return valid && yson.at == data.length();
    }

    private boolean value(int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        skipSpace();
        if (peek() == '<' && !members('>', depth)) {
            return false;
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> members('}', depth);
            case '[' -> list(depth);
            case '#', 0x04, 0x05 -> skip(1);
            case '%' -> percent();
            case 0x02, 0x06 -> {
                at++;
                yield varint() != null;
            }
            case 0x03 -> skip(1 + Double.BYTES);
            case '+', '-' -> number();
            default -> isDigit(peek()) ? number() : string();
        };
    }

    private boolean members(char closing, int depth) {
        at++;
        skipSpace();
        while (peek() != closing) {
            if (!string()) {
                return false;
            }
            skipSpace();
            if (peek() != '=') {
                return false;
            }
            at++;
            if (!value(depth + 1) || !separatorOr(closing)) {
                return false;
            }
        }
        return skip(1);
    }

    private boolean list(int depth) {
        at++;
        skipSpace();
        while (peek() != ']') {
            if (!value(depth + 1) || !separatorOr(']')) {
                return false;
            }
        }
        return skip(1);
    }

    /// Accepts a semicolon, which may also precede the end, or the end itself.
    private boolean separatorOr(char closing) {
        skipSpace();
        if (peek() == ';') {
            at++;
            skipSpace();
            return true;
        }
        return peek() == closing;
    }

    private boolean percent() {
        for (String word : new String[] {"%true", "%false", "%nan", "%inf", "%+inf", "%-inf"}) {
            if (word.length() <= data.length() - at && matches(word)) {
                return skip(word.length());
            }
        }
        return false;
    }

    private boolean matches(String word) {
        for (int index = 0; index < word.length(); index++) {
            if (data.at(at + index) != word.charAt(index)) {
                return false;
            }
        }
        return true;
    }

    private boolean number() {
        int from = at;
        while (peek() >= 0 && "+-.eE0123456789".indexOf(peek()) >= 0) {
            at++;
        }
        String text = Bytes.copyOf(data.array(), from, at).utf8();
        if (peek() == 'u') {
            at++;
            return text.chars().allMatch(c -> c >= '0' && c <= '9');
        }
        return NumberSyntax.isReal(text);
    }

    private boolean string() {
        int first = peek();
        if (first == 0x01) {
            at++;
            Long length = varint();
            // A string's length is a signed varint in zigzag.
            return length != null && length >= 0 && (length & 1) == 0 && skip(length >>> 1);
        }
        if (first == '"') {
            at++;
            while (peek() != '"') {
                if (!skip(peek() == '\\' ? 2 : 1)) {
                    return false;
                }
            }
            return skip(1);
        }
        if (!isWord(first) || isDigit(first)) {
            return false;
        }
        while (isWord(peek())) {
            at++;
        }
        return true;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(int c) {
        return c >= 0 && c < 0x80 && (Character.isLetterOrDigit(c) || "_-.%".indexOf(c) >= 0);
    }

    private @Nullable Long varint() {
        long number = 0;
        for (int count = 0; count < MAX_VARINT_BYTES; count++) {
            int next = peek();
            if (next < 0) {
                return null;
            }
            at++;
            number |= ((long) (next & 0x7F)) << (7 * count);
            if (next < 0x80) {
                return number;
            }
        }
        return null;
    }

    private boolean skip(long count) {
        if (count > data.length() - at) {
            return false;
        }
        at += (int) count;
        return true;
    }

    private void skipSpace() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
            at++;
        }
    }

    /// The next byte, or -1 at the end.
    private int peek() {
        return at < data.length() ? data.at(at) & 0xFF : -1;
    }
}
