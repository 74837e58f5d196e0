package io.cleave.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// The value of the header `Date`. It is formatted once per second.
///
/// Threads: any.
final class HttpDate {
    private volatile Second last = second(0);

    private record Second(long number, String text) {}

    String at(long wallMicros) {
        long number = Math.floorDiv(wallMicros, 1_000_000L);
        Second known = last;
        if (known.number() != number) {
            known = second(number);
            last = known;
        }
        return known.text();
    }

    private static Second second(long number) {
        return new Second(
                number,
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        Instant.ofEpochSecond(number).atOffset(ZoneOffset.UTC)));
    }
}
