package io.cleave.ytql;

import io.cleave.base.Bytes;

/// Writes values as literals of the language, which are read back as the same values.
public final class YtLiteralText {
    private YtLiteralText() {}

    public static String of(Bytes string) {
        return "\"" + YtEscapes.escaped(string) + "\"";
    }

    /// A number that is not finite is written as an expression where the language has no literal.
    public static String of(double real) {
        if (Double.isInfinite(real)) {
            return real > 0 ? "inf" : "-inf";
        }
        if (Double.isNaN(real)) {
            return "(inf - inf)";
        }
        // A literal without a dot and without an exponent is an integer; Java always writes a dot.
        return Double.toString(real);
    }
}
