package io.cleave.yt.tree;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times as YTsaurus writes them: `2026-11-17T10:20:30.123456Z`.
final class Times {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private Times() {}

    static String text(long micros) {
        return FORMAT.format(
                Instant.ofEpochSecond(
                        Math.floorDiv(micros, 1_000_000L),
                        Math.floorMod(micros, 1_000_000L) * 1000L));
    }
}
