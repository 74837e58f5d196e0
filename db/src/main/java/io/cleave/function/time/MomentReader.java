package io.cleave.function.time;

import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.Optional;

/// Parses one text by one pattern of `DateTime::Parse`. Fields that the pattern lacks are those of
/// 1970-01-01T00:00:00. Each object is used for one text.
final class MomentReader {
    private static final int MICRO_NANOS = 1000;
    private static final int FRACTION_DIGITS = 6;
    private static final int WIDE_YEAR_DIGITS = 6;

    private final String pattern;
    private final String text;
    private final boolean wide;
    private int at;
    private int year = 1970;
    private int month = 1;
    private int day = 1;
    private int hour;
    private int minute;
    private int second;
    private int micros;
    private int offsetMinutes;
    private ZoneId zone = ZoneOffset.UTC;

    /// The pattern must contain only known fields. For Timestamp64 a year has up to six digits and
    /// may be negative.
    MomentReader(Primitive timestamp, String pattern, String text) {
        this.pattern = pattern;
        this.text = text;
        this.wide = timestamp == Primitive.TIMESTAMP64;
    }

    /// The time in UTC; empty if the text does not match the pattern or is not a valid date.
    Optional<LocalDateTime> read() {
        return clock().map(
                        time ->
                                time.atZone(zone)
                                        .withZoneSameInstant(ZoneOffset.UTC)
                                        .toLocalDateTime());
    }

    /// The time as a TzTimestamp or TzTimestamp64 in the time zone that `%Z` gave.
    Optional<String> readZoned() {
        Primitive type = wide ? Primitive.TZ_TIMESTAMP64 : Primitive.TZ_TIMESTAMP;
        return clock().flatMap(time -> TzText.of(type, time, zone.getId()));
    }

    /// The local time in the time zone.
    private Optional<LocalDateTime> clock() {
        int index = 0;
        while (index < pattern.length()) {
            char c = pattern.charAt(index++);
            boolean read = c == '%' ? field(pattern.charAt(index++)) : literal(c);
            if (!read) {
                return Optional.empty();
            }
        }
        if (at < text.length()) {
            return Optional.empty();
        }
        try {
            int nanos = micros * MICRO_NANOS;
            return Optional.of(
                    LocalDateTime.of(year, month, day, hour, minute, second, nanos)
                            .minusMinutes(offsetMinutes));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private boolean literal(char c) {
        return at < text.length() && text.charAt(at++) == c;
    }

    private boolean word(String word) {
        boolean there = text.regionMatches(true, at, word, 0, word.length());
        at += there ? word.length() : 0;
        return there;
    }

    private boolean field(char kind) {
        switch (kind) {
            case 'Y' -> year = wide ? wideYear() : number(4);
            case 'm' -> month = number(2);
            case 'd' -> day = number(2);
            case 'H' -> hour = number(2);
            case 'M' -> minute = number(2);
            case 'S' -> second = seconds();
            case 'z' -> {
                return offset();
            }
            case 'Z' -> {
                return zone();
            }
            case 'b' -> month = monthNumber(TextStyle.SHORT);
            case 'B' -> month = monthNumber(TextStyle.FULL);
            default -> {
                return literal('%');
            }
        }
        return at >= 0;
    }

    /// Parses a number with exactly that many digits; otherwise sets `at` to -1, which fails the
    /// parse.
    private int number(int digits) {
        int number = 0;
        for (int index = 0; index < digits; index++) {
            int digit = at >= 0 && at < text.length() ? digit(text.charAt(at)) : -1;
            if (digit < 0) {
                at = -1;
                return 0;
            }
            number = number * 10 + digit;
            at++;
        }
        return number;
    }

    /// The year as in Java, which has a year 0 where YQL has -1.
    private int wideYear() {
        boolean negative = at < text.length() && text.charAt(at) == '-';
        at += negative ? 1 : 0;
        int digits = 0;
        while (digits < WIDE_YEAR_DIGITS
                && at + digits < text.length()
                && digit(text.charAt(at + digits)) >= 0) {
            digits++;
        }
        int number = number(digits);
        if (number == 0) {
            at = -1;
        }
        return negative ? 1 - number : number;
    }

    private static int digit(char c) {
        return c >= '0' && c <= '9' ? c - '0' : -1;
    }

    /// Two digits and an optional fraction, which is truncated to microseconds.
    private int seconds() {
        int seconds = number(2);
        if (at > 0 && at < text.length() && text.charAt(at) == '.') {
            at++;
            int kept = 0;
            while (at < text.length() && digit(text.charAt(at)) >= 0) {
                if (kept < FRACTION_DIGITS) {
                    micros = micros * 10 + digit(text.charAt(at));
                    kept++;
                }
                at++;
            }
            for (; kept < FRACTION_DIGITS; kept++) {
                micros *= 10;
            }
        }
        return seconds;
    }

    /// The name of a time zone, such as `Europe/Moscow`.
    private boolean zone() {
        int from = at;
        while (at < text.length() && isOfZone(text.charAt(at))) {
            at++;
        }
        String name = text.substring(from, at).toUpperCase(Locale.ROOT);
        // These two names are accepted in any case.
        String known = name.equals("GMT") || name.equals("UTC") ? name : text.substring(from, at);
        if (known.isEmpty() || !TzText.isZone(known)) {
            return false;
        }
        zone = ZoneId.of(known);
        return true;
    }

    private static boolean isOfZone(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || "/_+-".indexOf(c) >= 0);
    }

    /// `+hhmm`, `+hh:mm`, `+hh` or `Z`.
    private boolean offset() {
        char sign = at < text.length() ? text.charAt(at++) : ' ';
        if (sign == 'Z') {
            return true;
        } else if (sign != '+' && sign != '-') {
            return false;
        }
        int minutes = number(2) * 60;
        if (at >= 0) {
            int colon = at < text.length() && text.charAt(at) == ':' ? 1 : 0;
            if (at + colon < text.length() && digit(text.charAt(at + colon)) >= 0) {
                at += colon;
                minutes += number(2);
            }
        }
        offsetMinutes = sign == '-' ? -minutes : minutes;
        return at >= 0;
    }

    private int monthNumber(TextStyle style) {
        for (Month candidate : Month.values()) {
            if (word(candidate.getDisplayName(style, Locale.ENGLISH))) {
                return candidate.getValue();
            }
        }
        at = -1;
        return 0;
    }
}
