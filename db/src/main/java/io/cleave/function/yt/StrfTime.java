package io.cleave.function.yt;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.Locale;

/// The function `strftime` of C, with the names of days and months of the locale "C". The result is
/// empty if it would be longer than the buffer of YTsaurus.
final class StrfTime {
    /// The length includes the zero byte that ends a string in C.
    private static final int BUFFER_BYTES = 128;

    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xx", Locale.ROOT);
    private static final DateTimeFormatter ZONE =
            DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);

    private StrfTime() {}

    static Bytes format(ZonedDateTime moment, Bytes format) {
        var out = new ByteArrayOutputStream();
        int at = 0;
        // A zero byte ends a format in C.
        while (at < format.length() && format.at(at) != 0) {
            byte c = format.at(at++);
            if (c != '%' || at == format.length()) {
                out.write(c);
                continue;
            }
            int from = at - 1;
            char directive = (char) format.at(at++);
            boolean modifier = directive == 'E' || directive == 'O';
            if (modifier && at < format.length()) {
                directive = (char) format.at(at++);
            }
            String text = field(moment, directive);
            if (text == null) {
                out.write(format.array(), from, at - from);
            } else {
                out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.size() < BUFFER_BYTES ? Bytes.wrap(out.toByteArray()) : Bytes.EMPTY;
    }

    /// The text of a directive; null if there is no such directive.
    private static @Nullable String field(ZonedDateTime moment, char directive) {
        int hour12 = (moment.getHour() + 11) % 12 + 1;
        return switch (directive) {
            case 'a' -> dayName(moment, TextStyle.SHORT);
            case 'A' -> dayName(moment, TextStyle.FULL);
            case 'b', 'h' -> monthName(moment, TextStyle.SHORT);
            case 'B' -> monthName(moment, TextStyle.FULL);
            case 'c' -> fields(moment, "a b e T Y", ' ');
            case 'C' -> padded(moment.getYear() / 100, 2);
            case 'd' -> padded(moment.getDayOfMonth(), 2);
            case 'D', 'x' -> fields(moment, "m d y", '/');
            case 'e' -> "%2d".formatted(moment.getDayOfMonth());
            case 'F' -> fields(moment, "Y m d", '-');
            case 'g' -> padded(moment.get(IsoFields.WEEK_BASED_YEAR) % 100, 2);
            case 'G' -> Integer.toString(moment.get(IsoFields.WEEK_BASED_YEAR));
            case 'H' -> padded(moment.getHour(), 2);
            case 'I' -> padded(hour12, 2);
            case 'j' -> padded(moment.getDayOfYear(), 3);
            case 'k' -> "%2d".formatted(moment.getHour());
            case 'l' -> "%2d".formatted(hour12);
            case 'm' -> padded(moment.getMonthValue(), 2);
            case 'M' -> padded(moment.getMinute(), 2);
            case 'n' -> "\n";
            case 'p' -> moment.getHour() < 12 ? "AM" : "PM";
            case 'P' -> moment.getHour() < 12 ? "am" : "pm";
            case 'r' -> fields(moment, "I M S", ':') + " " + field(moment, 'p');
            case 'R' -> fields(moment, "H M", ':');
            case 's' -> Long.toString(moment.toEpochSecond());
            case 'S' -> padded(moment.getSecond(), 2);
            case 't' -> "\t";
            case 'T', 'X' -> fields(moment, "H M S", ':');
            case 'u' -> Integer.toString(moment.getDayOfWeek().getValue());
            case 'U' -> padded(week(moment, DayOfWeek.SUNDAY), 2);
            case 'V' -> padded(moment.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
            case 'w' -> Integer.toString(moment.getDayOfWeek().getValue() % 7);
            case 'W' -> padded(week(moment, DayOfWeek.MONDAY), 2);
            case 'y' -> padded(moment.getYear() % 100, 2);
            case 'Y' -> Integer.toString(moment.getYear());
            case 'z' -> OFFSET.format(moment);
            case 'Z' -> moment.getOffset().equals(moment.getZone()) ? "GMT" : ZONE.format(moment);
            case '%' -> "%";
            default -> null;
        };
    }

    private static String fields(ZonedDateTime moment, String directives, char separator) {
        var text = new StringBuilder();
        for (String directive : directives.split(" ")) {
            if (!text.isEmpty()) {
                text.append(separator);
            }
            text.append(field(moment, directive.charAt(0)));
        }
        return text.toString();
    }

    private static String dayName(ZonedDateTime moment, TextStyle style) {
        return moment.getDayOfWeek().getDisplayName(style, Locale.US);
    }

    private static String monthName(ZonedDateTime moment, TextStyle style) {
        return moment.getMonth().getDisplayName(style, Locale.US);
    }

    /// The week of the year; days before the first `start` are in week 0.
    private static int week(ZonedDateTime moment, DayOfWeek start) {
        int sinceStart = Math.floorMod(moment.getDayOfWeek().getValue() - start.getValue(), 7);
        return (moment.getDayOfYear() + 6 - sinceStart) / 7;
    }

    private static String padded(int number, int digits) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
