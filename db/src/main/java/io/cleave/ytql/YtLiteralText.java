package io.cleave.ytql;

import io.cleave.base.Bytes;

/// Writes values as literals of the language. A parser reads them as the same values.
public final class YtLiteralText {
    private YtLiteralText() {}

    public static String of(Bytes string) {
        return "\"" + YtEscapes.escaped(string) + "\"";
    }

    /// Writes a double. If the language has no literal for a number that is not finite, it is
    /// written as an expression.
    public static String of(double real) {
        if (Double.isInfinite(real)) {
            return real > 0 ? "inf" : "-inf";
        }
        if (Double.isNaN(real)) {
            return "(inf - inf)";
        }
        // A number without a dot and without an exponent would be an integer. Java always writes a
        // dot.
        return Double.toString(real);
    }
}
