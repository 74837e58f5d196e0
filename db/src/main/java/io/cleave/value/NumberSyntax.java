package io.cleave.value;

import java.util.Optional;

/// The syntax of numbers in text.
final class NumberSyntax {
    private NumberSyntax() {}

    /// Whether the text is a number with digits on at least one side of the decimal point: `1`,
    /// `+5`, `.5`, `5.`, `1e3`. Java's own parser also accepts `0x1p-2`, `1f` and spaces.
    static boolean isReal(String text) {
        int at = skipSign(text, 0);
        int integral = skipDigits(text, at);
        int digits = integral - at;
        at = integral;
        if (at < text.length() && text.charAt(at) == '.') {
            int fraction = skipDigits(text, at + 1);
            digits += fraction - at - 1;
            at = fraction;
        }
        if (digits == 0) {
            return false;
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            int power = skipSign(text, at + 1);
            at = skipDigits(text, power);
            return at > power && at == text.length();
        }
        return at == text.length();
    }

    /// Parses an integer of at most nine digits, such as an exponent.
    static Optional<Integer> smallInt(String text) {
        int from = skipSign(text, 0);
        int to = skipDigits(text, from);
        if (to == from || to < text.length() || to - from > 9) {
            return Optional.empty();
        }
        int number = Integer.parseInt(text, from, to, 10);
        return Optional.of(text.charAt(0) == '-' ? -number : number);
    }

    static int skipDigits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private static int skipSign(String text, int from) {
        boolean signed =
                from < text.length() && (text.charAt(from) == '-' || text.charAt(from) == '+');
        return signed ? from + 1 : from;
    }
}
