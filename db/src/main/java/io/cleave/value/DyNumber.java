package io.cleave.value;

import java.math.BigDecimal;
import java.util.Optional;

/// Decimal numbers of up to 38 significant digits, like those of DynamoDB.
///
/// A [Value.Text] of the type always has the normal form, which YDB prints too: `0`, or `.` and the
/// digits without leading and trailing zeros, followed by `e` and the exponent unless it is 0. So
/// two numbers are equal if their texts are equal: 1, 1.0 and 10e-1 are all `.1e1`.
///
/// The encoding in a key:
///
/// ```
/// 0x01         zero
/// 0x02         a positive one, then
///   u8         the exponent + 129
///   nibbles    each digit + 1, then one or two nibbles 0 up to a whole byte
/// 0x00         a negative one, then the same bytes with every bit flipped
/// ```
///
/// The closing 0 makes a number greater than another one whose digits are a prefix of its own.
public final class DyNumber {
    static final int MAX_DIGITS = 38;
    static final int MIN_EXPONENT = -129;
    static final int MAX_EXPONENT = 126;

    private static final int NEGATIVE = 0x00;
    private static final int ZERO = 0x01;
    private static final int POSITIVE = 0x02;

    private DyNumber() {}

    /// The normal form of a number that a user wrote; empty if the text is not a number, or the
    /// number has too many digits or an exponent out of range.
    public static Optional<String> normalize(String text) {
        if (!NumberSyntax.isReal(text)) {
            return Optional.empty();
        }
        int mark = Math.max(text.indexOf('e'), text.indexOf('E'));
        String mantissa = mark < 0 ? text : text.substring(0, mark);
        Optional<Integer> power =
                mark < 0 ? Optional.of(0) : NumberSyntax.smallInt(text.substring(mark + 1));
        return power.flatMap(e -> normalize(mantissa, e));
    }

    private static Optional<String> normalize(String mantissa, int power) {
        boolean negative = mantissa.startsWith("-");
        var digits = new StringBuilder();
        int exponent = power;
        boolean fraction = false;
        for (int index = 0; index < mantissa.length(); index++) {
            char c = mantissa.charAt(index);
            if (c == '.') {
                fraction = true;
            } else if (c >= '0' && c <= '9') {
                boolean leadingZero = c == '0' && digits.isEmpty();
                if (!leadingZero) {
                    digits.append(c);
                }
                if (leadingZero && fraction) {
                    exponent--;
                } else if (!leadingZero && !fraction) {
                    exponent++;
                }
            }
        }
        int length = digits.length();
        while (length > 0 && digits.charAt(length - 1) == '0') {
            length--;
        }
        digits.setLength(length);
        if (length == 0) {
            return Optional.of("0");
        }
        if (length > MAX_DIGITS || exponent < MIN_EXPONENT || exponent > MAX_EXPONENT) {
            return Optional.empty();
        }
        return Optional.of(print(negative, digits, exponent));
    }

    private static String print(boolean negative, CharSequence digits, int exponent) {
        return (negative ? "-." : ".") + digits + (exponent == 0 ? "" : "e" + exponent);
    }

    /// Compares numeric values; both texts are in normal form.
    public static int compare(String left, String right) {
        return new BigDecimal(left).compareTo(new BigDecimal(right));
    }

    static byte[] encode(String normal) {
        if (normal.equals("0")) {
            return new byte[] {ZERO};
        }
        boolean negative = normal.startsWith("-");
        int from = negative ? 2 : 1;
        int mark = normal.indexOf('e');
        int to = mark < 0 ? normal.length() : mark;
        int exponent = mark < 0 ? 0 : Integer.parseInt(normal, mark + 1, normal.length(), 10);
        int digitCount = to - from;
        byte[] data = new byte[1 + 1 + digitCount / 2 + 1];
        data[0] = (byte) POSITIVE;
        data[1] = (byte) (exponent - MIN_EXPONENT);
        for (int index = 0; index < digitCount; index++) {
            int nibble = normal.charAt(from + index) - '0' + 1;
            data[2 + index / 2] |= (byte) (index % 2 == 0 ? nibble << 4 : nibble);
        }
        if (negative) {
            data[0] = (byte) NEGATIVE;
            for (int index = 1; index < data.length; index++) {
                data[index] = (byte) ~data[index];
            }
        }
        return data;
    }

    /// The end of the number that begins at `from`; -1 if there is none.
    static int end(byte[] data, int from) {
        boolean known = from < data.length && data[from] >= NEGATIVE && data[from] <= POSITIVE;
        if (!known) {
            return -1;
        }
        if (data[from] == ZERO) {
            return from + 1;
        }
        int closing = data[from] == NEGATIVE ? 0x0F : 0x00;
        for (int index = from + 2; index < data.length; index++) {
            if ((data[index] & 0x0F) == closing) {
                return index + 1;
            }
        }
        return -1;
    }

    static String decode(byte[] data, int from, int to) {
        if (data[from] == ZERO) {
            return "0";
        }
        boolean negative = data[from] == NEGATIVE;
        int flip = negative ? 0xFF : 0x00;
        int exponent = ((data[from + 1] ^ flip) & 0xFF) + MIN_EXPONENT;
        var digits = new StringBuilder();
        for (int index = from + 2; index < to; index++) {
            int pair = (data[index] ^ flip) & 0xFF;
            appendDigit(digits, pair >> 4);
            appendDigit(digits, pair & 0x0F);
        }
        return print(negative, digits, exponent);
    }

    private static void appendDigit(StringBuilder digits, int nibble) {
        if (nibble > 0) {
            digits.append((char) ('0' + nibble - 1));
        }
    }
}
