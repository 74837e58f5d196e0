package io.cleave.value;

import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses and prints intervals, in the part of ISO 8601 with fixed lengths: `P1W2DT3H4M5.5S`. Each
/// component is optional, but at least one must follow the P. A sign may precede the P. Months and
/// years are refused, because their lengths vary.
public final class IntervalText {
    private static final Pattern SHAPE =
            Pattern.compile(
                    "([+-]?)P(?:(\\d+)W)?(?:(\\d+)D)?"
                            + "(T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)(?:\\.(\\d{1,6}))?S)?)?");
    private static final long HOUR_MICROS = 3600 * Ints.SECOND_MICROS;
    private static final long MINUTE_MICROS = 60 * Ints.SECOND_MICROS;

    private IntervalText() {}

    /// The number of microseconds; empty if the text is not a legal value of the type.
    public static Optional<Long> parse(Primitive type, String text) {
        Matcher match = SHAPE.matcher(text);
        if (!match.matches() || text.endsWith("P")) {
            return Optional.empty();
        }
        BigInteger micros =
                part(match.group(2), 7 * Ints.DAY_MICROS)
                        .add(part(match.group(3), Ints.DAY_MICROS))
                        .add(part(match.group(5), HOUR_MICROS))
                        .add(part(match.group(6), MINUTE_MICROS))
                        .add(part(match.group(7), Ints.SECOND_MICROS))
                        .add(part(millionths(match.group(8)), 1));
        if (micros.bitLength() > 63) {
            return Optional.empty();
        }
        long number = match.group(1).equals("-") ? -micros.longValue() : micros.longValue();
        return Ints.fits(type, number) ? Optional.of(number) : Optional.empty();
    }

    private static BigInteger part(@Nullable String digits, long unitMicros) {
        return digits == null
                ? BigInteger.ZERO
                : new BigInteger(digits).multiply(BigInteger.valueOf(unitMicros));
    }

    private static @Nullable String millionths(@Nullable String fraction) {
        return fraction == null ? null : (fraction + "00000").substring(0, 6);
    }

    public static String print(long micros) {
        if (micros == 0) {
            return "PT0S";
        }
        var out = new StringBuilder(micros < 0 ? "-P" : "P");
        long rest = Math.abs(micros);
        if (rest >= Ints.DAY_MICROS) {
            out.append(rest / Ints.DAY_MICROS).append('D');
            rest %= Ints.DAY_MICROS;
        }
        if (rest == 0) {
            return out.toString();
        }
        out.append('T');
        if (rest >= HOUR_MICROS) {
            out.append(rest / HOUR_MICROS).append('H');
            rest %= HOUR_MICROS;
        }
        if (rest >= MINUTE_MICROS) {
            out.append(rest / MINUTE_MICROS).append('M');
            rest %= MINUTE_MICROS;
        }
        if (rest > 0) {
            out.append(rest / Ints.SECOND_MICROS);
            long fraction = rest % Ints.SECOND_MICROS;
            if (fraction > 0) {
                out.append('.').append(String.format("%06d", fraction).replaceAll("0+$", ""));
            }
            out.append('S');
        }
        return out.toString();
    }
}
