package io.cleave.yt.tree;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/// Times as YTsaurus writes them: `2026-11-17T10:20:30.123456Z`.
public final class Times {
    private Times() {}

    public static String text(long micros) {
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), 0, ZoneOffset.UTC);
        var text = new StringBuilder(27);
        put(text, time.getYear(), 4).append('-');
        put(text, time.getMonthValue(), 2).append('-');
        put(text, time.getDayOfMonth(), 2).append('T');
        put(text, time.getHour(), 2).append(':');
        put(text, time.getMinute(), 2).append(':');
        put(text, time.getSecond(), 2).append('.');
        return put(text, Math.floorMod(micros, 1_000_000L), 6).append('Z').toString();
    }

    /// Appends a number with leading zeros. A formatter would take most of the time of a long
    /// listing.
    private static StringBuilder put(StringBuilder text, long number, int digits) {
        String plain = Long.toString(number);
        return text.repeat('0', Math.max(0, digits - plain.length())).append(plain);
    }
}
