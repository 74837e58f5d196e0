package io.cleave.value;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.LittleEndian;

import java.nio.charset.StandardCharsets;

/// Splits bytes into the tokens of YSON. Text and binary tokens may be mixed.
///
/// ```
/// text    "…" with backslashes | identifier | -5 | 5u | 0.5 | %true %false %nan %inf %-inf | #
/// binary  0x01 length bytes | 0x02 int64 | 0x03 double | 0x04 false | 0x05 true | 0x06 uint64
/// ```
///
/// A length and an int64 are varints in zigzag, a uint64 is a plain varint, and a double has eight
/// bytes, little-endian. An identifier begins with a letter or `_`.
///
/// A token that is not well-formed ends with a [YsonException]. Nothing is allocated for a token,
/// except for a string with a backslash and for a double in text form.
///
/// Threads: one at a time.
public final class YsonLexer {
    private static final int MAX_VARINT_BYTES = 10;
    private static final int WORD = 1;
    private static final int WORD_START = 2;
    private static final int DIGIT = 4;
    private static final byte[] KINDS = kinds();

    private byte[] data;
    private int at;
    private int to;

    /// The position of `data[0]` in the whole input.
    private long origin;

    private int tokenAt;
    private long bits;
    private byte[] text;
    private int textFrom;
    private int textTo;
    private boolean isTextInPlace;
    private final ByteWriter unescaped = new ByteWriter(64);

    public YsonLexer(byte[] data, int from, int to) {
        this.data = data;
        this.text = data;
        this.at = from;
        this.to = to;
    }

    public YsonLexer(Bytes data) {
        this(data.array(), 0, data.length());
    }

    /// Continues with other bytes. `origin` is the position of `data[0]` in the whole input; errors
    /// name positions from there.
    public void reset(byte[] data, int from, int to, long origin) {
        this.data = data;
        this.at = from;
        this.to = to;
        this.origin = origin;
    }

    /// The index of the first byte after the last token.
    public int at() {
        return at;
    }

    /// The index of the first byte of the last token.
    public int tokenAt() {
        return tokenAt;
    }

    /// The value of the last token: an INT64 or UINT64, the raw bits of a DOUBLE, or 0 or 1.
    public long bits() {
        return bits;
    }

    /// The array that has the bytes `[textFrom, textTo)` of the last STRING, until the next token.
    public byte[] textArray() {
        return text;
    }

    /// Whether [#textArray] is the array that the lexer reads. Otherwise the string had escapes,
    /// and its bytes are gone with the next token.
    public boolean isTextInPlace() {
        return isTextInPlace;
    }

    public int textFrom() {
        return textFrom;
    }

    public int textTo() {
        return textTo;
    }

    /// A copy of the last STRING.
    public Bytes text() {
        return Bytes.copyOf(text, textFrom, textTo);
    }

    /// Moves to the next token and returns its kind.
    public YsonToken next() {
        int c;
        do {
            if (at == to) {
                tokenAt = at;
                return YsonToken.END;
            }
            c = data[at++];
        } while (isSpace(c));
        tokenAt = at - 1;
        return switch (c) {
            case ';' -> YsonToken.SEMICOLON;
            case '=' -> YsonToken.EQUALS;
            case '{' -> YsonToken.BEGIN_MAP;
            case '}' -> YsonToken.END_MAP;
            case '[' -> YsonToken.BEGIN_LIST;
            case ']' -> YsonToken.END_LIST;
            case '<' -> YsonToken.BEGIN_ATTRIBUTES;
            case '>' -> YsonToken.END_ATTRIBUTES;
            case '#' -> YsonToken.ENTITY;
            case 0x01 -> binaryString();
            case 0x02 -> {
                long zigzag = varint();
                bits = zigzag >>> 1 ^ -(zigzag & 1);
                yield YsonToken.INT64;
            }
            case 0x03 -> {
                if (to - at < Double.BYTES) {
                    throw premature();
                }
                bits = LittleEndian.getLong(data, at);
                at += Double.BYTES;
                yield YsonToken.DOUBLE;
            }
            case 0x04, 0x05 -> {
                bits = c == 0x05 ? 1 : 0;
                yield YsonToken.BOOLEAN;
            }
            case 0x06 -> {
                bits = varint();
                yield YsonToken.UINT64;
            }
            case '"' -> quoted();
            case '%' -> percent();
            case '+', '-' -> number(c);
            default -> {
                int kind = KINDS[c & 0xFF];
                if ((kind & WORD_START) != 0) {
                    yield identifier();
                }
                if ((kind & DIGIT) != 0) {
                    yield number(c);
                }
                throw unexpected(c);
            }
        };
    }

    /// The error that the last token does not belong where it is.
    public YsonException misplaced(String expected) {
        if (tokenAt == to) {
            return premature();
        }
        String reason = "Unexpected %s, expected %s".formatted(show(data[tokenAt]), expected);
        return new YsonException(reason, origin + tokenAt, at == to);
    }

    /// An error at the last byte that was read. If that is the last one of the bytes, more of them
    /// could mean something else: `1` may be the beginning of `1.5`.
    public YsonException error(String reason) {
        return new YsonException(reason, origin + at, at == to);
    }

    private YsonException premature() {
        return new YsonException("Premature end of stream", origin + to, true);
    }

    private YsonException unexpected(int c) {
        at--;
        return error("Unexpected " + show(c));
    }

    private static String show(int c) {
        return c > ' ' && c < 0x7F ? "\"" + (char) c + "\"" : "byte 0x%02X".formatted(c & 0xFF);
    }

    private YsonToken binaryString() {
        long zigzag = varint();
        long length = zigzag >>> 1 ^ -(zigzag & 1);
        if (length < 0) {
            throw error("Negative binary string literal length " + length);
        }
        if (length > Integer.MAX_VALUE) {
            throw error("Binary string literal of %d bytes is too long".formatted(length));
        }
        if (length > to - at) {
            throw premature();
        }
        return raw(at, at += (int) length);
    }

    private YsonToken raw(int from, int end) {
        text = data;
        textFrom = from;
        textTo = end;
        isTextInPlace = true;
        return YsonToken.STRING;
    }

    private long varint() {
        long number = 0;
        for (int shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
            if (at == to) {
                throw premature();
            }
            byte next = data[at++];
            number |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw error("Error parsing varint value");
    }

    private YsonToken identifier() {
        int end = at;
        while (end < to && (KINDS[data[end] & 0xFF] & WORD) != 0) {
            end++;
        }
        at = end;
        return raw(tokenAt, end);
    }

    private YsonToken quoted() {
        int from = at;
        for (int index = from; index < to; index++) {
            byte c = data[index];
            if (c == '"') {
                at = index + 1;
                return raw(from, index);
            }
            if (c == '\\') {
                return escaped(from, index);
            }
        }
        throw premature();
    }

    private YsonToken escaped(int from, int firstBackslash) {
        unescaped.clear();
        unescaped.put(data, from, firstBackslash);
        at = firstBackslash;
        while (true) {
            int c = nextByte();
            if (c == '"') {
                text = unescaped.array();
                textFrom = 0;
                textTo = unescaped.length();
                isTextInPlace = false;
                return YsonToken.STRING;
            }
            if (c == '\\') {
                escape(nextByte());
            } else {
                unescaped.putByte(c);
            }
        }
    }

    private void escape(int c) {
        switch (c) {
            case 'n' -> unescaped.putByte('\n');
            case 't' -> unescaped.putByte('\t');
            case 'r' -> unescaped.putByte('\r');
            case 'a' -> unescaped.putByte(0x07);
            case 'b' -> unescaped.putByte('\b');
            case 'f' -> unescaped.putByte('\f');
            case 'v' -> unescaped.putByte(0x0B);
            case 'x' -> unescaped.putByte(hex() << 4 | hex());
            case 'u' -> character(hex() << 12 | hex() << 8 | hex() << 4 | hex());
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                int number = c - '0';
                // At most three digits, as long as the number fits into a byte.
                int maxDigits = c <= '3' ? 3 : 2;
                for (int digits = 1; digits < maxDigits && isOctal(peekByte()); digits++) {
                    number = number << 3 | (data[at++] - '0');
                }
                unescaped.putByte(number);
            }
            default -> unescaped.putByte(c);
        }
    }

    private void character(int codePoint) {
        byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
        unescaped.put(utf8, 0, utf8.length);
    }

    private int hex() {
        int digit = Character.digit(nextByte(), 16);
        if (digit < 0) {
            throw error("Invalid escape sequence in a string literal");
        }
        return digit;
    }

    private static boolean isOctal(int c) {
        return c >= '0' && c <= '7';
    }

    private int nextByte() {
        int c = peekByte();
        at++;
        return c;
    }

    private int peekByte() {
        if (at == to) {
            throw premature();
        }
        return data[at] & 0xFF;
    }

    private YsonToken percent() {
        int from = at;
        int first = peekByte();
        String word =
                switch (first) {
                    case 't' -> "true";
                    case 'f' -> "false";
                    case 'n' -> "nan";
                    case 'i' -> "inf";
                    case '+' -> "+inf";
                    case '-' -> "-inf";
                    default -> throw error("Incorrect %-literal: unexpected " + show(first));
                };
        for (int index = 0; index < word.length(); index++) {
            if (nextByte() != word.charAt(index)) {
                at = from;
                throw error("Incorrect %%-literal, expected \"%%%s\"".formatted(word));
            }
        }
        if (first == 't' || first == 'f') {
            bits = first == 't' ? 1 : 0;
            return YsonToken.BOOLEAN;
        }
        double value =
                first == 'n'
                        ? Double.NaN
                        : first == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        bits = Double.doubleToRawLongBits(value);
        return YsonToken.DOUBLE;
    }

    private YsonToken number(int first) {
        int index = first == '+' || first == '-' ? at : at - 1;
        int digitsFrom = index;
        // Up to 18 digits cannot overflow; longer numbers are parsed again.
        long magnitude = 0;
        while (index < to && (KINDS[data[index] & 0xFF] & DIGIT) != 0) {
            magnitude = magnitude * 10 + (data[index] - '0');
            index++;
        }
        if (index == to && digitsFrom == to) {
            throw premature();
        }
        int after = index < to ? data[index] : 0;
        if (after == '.' || after == 'e' || after == 'E') {
            return real(index);
        }
        at = index;
        boolean unsigned = after == 'u';
        int digits = index - digitsFrom;
        if (digits == 0 || (unsigned && first == '-')) {
            throw error("Error parsing a number");
        }
        if (digits > 18) {
            magnitude = longNumber(digitsFrom, index, unsigned, first == '-');
        } else if (first == '-') {
            magnitude = -magnitude;
        }
        if (unsigned) {
            at++;
        }
        rejectLetter();
        bits = magnitude;
        return unsigned ? YsonToken.UINT64 : YsonToken.INT64;
    }

    private long longNumber(int from, int end, boolean unsigned, boolean negative) {
        try {
            String digits = new String(data, from, end - from, StandardCharsets.ISO_8859_1);
            return unsigned
                    ? Long.parseUnsignedLong(digits)
                    : Long.parseLong(negative ? "-" + digits : digits);
        } catch (NumberFormatException _) {
            throw error(
                    "Error parsing %s literal: out of range"
                            .formatted(unsigned ? "uint64" : "int64"));
        }
    }

    private YsonToken real(int from) {
        int index = from;
        while (index < to && isRealPart(data[index])) {
            index++;
        }
        at = index;
        String literal = new String(data, tokenAt, index - tokenAt, StandardCharsets.ISO_8859_1);
        if (!NumberSyntax.isReal(literal)) {
            throw error("Error parsing double literal");
        }
        rejectLetter();
        bits = Double.doubleToRawLongBits(Double.parseDouble(literal));
        return YsonToken.DOUBLE;
    }

    private static boolean isRealPart(byte c) {
        return (KINDS[c & 0xFF] & DIGIT) != 0
                || c == '.'
                || c == 'e'
                || c == 'E'
                || c == '+'
                || c == '-';
    }

    private void rejectLetter() {
        if (at < to && (KINDS[data[at] & 0xFF] & (WORD_START | DIGIT)) != 0) {
            throw error("Unexpected %s in numeric literal".formatted(show(data[at])));
        }
    }

    private static boolean isSpace(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static byte[] kinds() {
        var kinds = new byte[256];
        for (int c = 'a'; c <= 'z'; c++) {
            kinds[c] = WORD | WORD_START;
            kinds[c - 'a' + 'A'] = WORD | WORD_START;
        }
        for (int c = '0'; c <= '9'; c++) {
            kinds[c] = WORD | DIGIT;
        }
        kinds['_'] = WORD | WORD_START;
        for (char c : new char[] {'-', '.', '%'}) {
            kinds[c] = WORD;
        }
        return kinds;
    }
}
