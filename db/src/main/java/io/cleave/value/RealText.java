package io.cleave.value;

import java.math.BigDecimal;

/// Prints floats and doubles like YDB: with the fewest digits that parse to the same number, and
/// with an exponent only for very small and very large numbers.
final class RealText {
    /// Numbers from 1e-10 up to 1e21 are printed without an exponent.
    private static final int MIN_PLAIN_EXPONENT = -10;

    private static final int MAX_PLAIN_EXPONENT = 20;

    private RealText() {}

    static String print(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15 && !isNegativeZero(value)) {
            return Long.toString((long) value);
        }
        return print(value, Double.toString(value));
    }

    static String print(float value) {
        return print(value, Float.toString(value));
    }

    private static String print(double value, String shortest) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == 0) {
            return isNegativeZero(value) ? "-0" : "0";
        }
        BigDecimal number = new BigDecimal(shortest).stripTrailingZeros();
        int exponent = number.precision() - number.scale() - 1;
        if (exponent >= MIN_PLAIN_EXPONENT && exponent <= MAX_PLAIN_EXPONENT) {
            return number.toPlainString();
        }
        String digits = number.unscaledValue().abs().toString();
        return (value < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (exponent < 0 ? "e" : "e+")
                + exponent;
    }

    private static boolean isNegativeZero(double value) {
        return value == 0 && 1 / value < 0;
    }
}
