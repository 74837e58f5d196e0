package io.cleave.value;

import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses and prints dates: `2020-01-02`, `2020-01-02T03:04:05Z`, `2020-01-02T03:04:05.123456Z`.
/// The zone is required, and may also be an offset such as `+03:00`.
///
/// The wide types have years BC, which are written with a minus sign. There is no year 0: the year
/// -1 is followed by the year 1.
public final class DateText {
    private static final Pattern SHAPE =
            Pattern.compile(
                    "([+-]?\\d{1,6})-(\\d{1,2})-(\\d{1,2})"
                            + "(?:T(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:\\.(\\d{1,6})\\d*)?"
                            + "(?:Z|([+-])(\\d{1,2}):(\\d{1,2})))?");

    private DateText() {}

    /// The number of days, seconds or microseconds; empty if the text is not a legal value of the
    /// type.
    public static Optional<Long> parse(Primitive type, String text) {
        Matcher match = SHAPE.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        boolean isDate = type == Primitive.DATE || type == Primitive.DATE32;
        boolean hasTime = match.group(4) != null;
        if (isDate == hasTime) {
            return Optional.empty();
        }
        boolean hasMicros = match.group(7) != null;
        if (hasMicros && type != Primitive.TIMESTAMP && type != Primitive.TIMESTAMP64) {
            return Optional.empty();
        }
        boolean hasPlainYear =
                NumberSyntax.skipDigits(text, 0) == match.end(1) && match.end(1) <= 4;
        if (!hasPlainYear && !isWide(type)) {
            return Optional.empty();
        }
        return days(match)
                .flatMap(days -> isDate ? Optional.of(days) : micros(match, days))
                .map(number -> isDate ? number : number / Order.unitMicros(type))
                .filter(number -> Ints.fits(type, number));
    }

    private static boolean isWide(Primitive type) {
        return type == Primitive.DATE32
                || type == Primitive.DATETIME64
                || type == Primitive.TIMESTAMP64;
    }

    private static Optional<Long> days(Matcher match) {
        int year = Integer.parseInt(match.group(1));
        if (year == 0) {
            return Optional.empty();
        }
        try {
            int month = Integer.parseInt(match.group(2));
            int day = Integer.parseInt(match.group(3));
            long days = LocalDate.of(year < 0 ? year + 1 : year, month, day).toEpochDay();
            boolean legal = days >= Ints.DATE32_MIN_DAYS && days <= Ints.DATE32_MAX_DAYS;
            return legal ? Optional.of(days) : Optional.empty();
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static Optional<Long> micros(Matcher match, long days) {
        int hour = Integer.parseInt(match.group(4));
        int minute = Integer.parseInt(match.group(5));
        int second = Integer.parseInt(match.group(6));
        if (hour > 23 || minute > 59 || second > 59) {
            return Optional.empty();
        }
        long seconds = days * Ints.DAY_SECONDS + (hour * 60L + minute) * 60 + second;
        if (match.group(8) != null) {
            int offsetHours = Integer.parseInt(match.group(9));
            int offsetMinutes = Integer.parseInt(match.group(10));
            long offset = (offsetHours * 60L + offsetMinutes) * 60;
            seconds += match.group(8).equals("+") ? -offset : offset;
        }
        return Optional.of(seconds * Ints.SECOND_MICROS + fraction(match.group(7)));
    }

    /// The digits after the decimal point, as microseconds.
    private static long fraction(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong((digits + "00000").substring(0, 6));
    }

    public static String print(Primitive type, long number) {
        var out = new StringBuilder();
        if (type == Primitive.DATE || type == Primitive.DATE32) {
            printDay(number, out);
            return out.toString();
        }
        long micros = number * Order.unitMicros(type);
        printDay(Math.floorDiv(micros, Ints.DAY_MICROS), out);
        printTime(Math.floorMod(micros, Ints.DAY_MICROS), out);
        return out.append('Z').toString();
    }

    static void printDay(long days, StringBuilder out) {
        LocalDate date = LocalDate.ofEpochDay(days);
        int year = date.getYear() <= 0 ? date.getYear() - 1 : date.getYear();
        out.append(year).append('-');
        pad(date.getMonthValue(), 2, out);
        out.append('-');
        pad(date.getDayOfMonth(), 2, out);
    }

    static void printTime(long microsOfDay, StringBuilder out) {
        long seconds = microsOfDay / Ints.SECOND_MICROS;
        long micros = microsOfDay % Ints.SECOND_MICROS;
        out.append('T');
        pad(seconds / 3600, 2, out);
        out.append(':');
        pad(seconds / 60 % 60, 2, out);
        out.append(':');
        pad(seconds % 60, 2, out);
        if (micros != 0) {
            out.append('.');
            pad(micros, 6, out);
        }
    }

    private static void pad(long number, int width, StringBuilder out) {
        String digits = Long.toString(number);
        out.repeat('0', Math.max(0, width - digits.length())).append(digits);
    }
}
