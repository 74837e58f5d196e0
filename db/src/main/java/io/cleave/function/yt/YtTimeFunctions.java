package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.STRING;

import io.cleave.base.Bytes;
import io.cleave.value.Value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// Functions on timestamps, given in seconds since 1970. A function without a suffix uses UTC. A
/// function with `_localtime` uses the time zone of the server. A function with `_tz` uses the zone
/// that is its second argument. All functions are NULL for NULL.
final class YtTimeFunctions {
    /// 0001-01-01T00:00:00Z.
    private static final long MIN_SECONDS = -62_135_596_800L;

    /// 9999-12-31T23:59:59Z.
    private static final long MAX_SECONDS = 253_402_300_799L;

    private static final long HOUR_SECONDS = 3_600;
    private static final long DAY_SECONDS = 24 * HOUR_SECONDS;
    private static final int MAX_FORMAT_BYTES = 30;

    private enum Unit {
        HOUR,
        DAY,
        WEEK,
        MONTH,
        QUARTER,
        YEAR
    }

    private YtTimeFunctions() {}

    static void register(YtFunction.Registry registry) {
        for (Unit unit : Unit.values()) {
            String name = "timestamp_floor_" + unit.name().toLowerCase(Locale.ROOT);
            registry.accept(
                    YtFunction.strict(
                            name,
                            Signature.of(one(INT64), one(INT64)),
                            a -> Value.of(floor(unit, seconds(a[0]), ZoneOffset.UTC))));
            registry.accept(
                    YtFunction.strict(
                            name + "_localtime",
                            Signature.of(one(INT64), one(INT64)),
                            a -> Value.of(floor(unit, seconds(a[0]), local()))));
            registry.accept(
                    YtFunction.strict(
                            name + "_tz",
                            Signature.of(one(INT64), one(INT64), one(STRING)),
                            a -> Value.of(floor(unit, seconds(a[0]), zone(a[1])))));
        }
        registry.accept(
                YtFunction.strict(
                        "format_timestamp",
                        Signature.of(one(STRING), one(INT64), one(STRING)),
                        a -> format(seconds(a[0]), ZoneOffset.UTC, a[1])));
        registry.accept(
                YtFunction.strict(
                        "format_timestamp_localtime",
                        Signature.of(one(STRING), one(INT64), one(STRING)),
                        a -> format(seconds(a[0]), local(), a[1])));
        registry.accept(
                YtFunction.strict(
                        "format_timestamp_tz",
                        Signature.of(one(STRING), one(INT64), one(STRING), one(STRING)),
                        a -> format(seconds(a[0]), zone(a[1]), a[2])));
    }

    private static long seconds(Value value) {
        long seconds = YtArithmetic.integer(value);
        if (seconds < MIN_SECONDS) {
            throw YtQueryErrors.failure(
                    "Timestamp is smaller than minimal value: got %d < %d"
                            .formatted(seconds, MIN_SECONDS));
        }
        if (seconds > MAX_SECONDS) {
            throw YtQueryErrors.failure(
                    "Timestamp is greater than maximal value: got %d > %d"
                            .formatted(seconds, MAX_SECONDS));
        }
        return seconds;
    }

    private static ZoneId local() {
        return ZoneId.systemDefault();
    }

    private static ZoneId zone(Value value) {
        String name = YtArithmetic.bytes(value).utf8();
        try {
            return ZoneId.of(name);
        } catch (DateTimeException _) {
            throw YtQueryErrors.failure(
                    "Failed to load time zone %s, invalid timezone"
                            .formatted(YtYson.escaped(Bytes.utf8(name))));
        }
    }

    private static long floor(Unit unit, long seconds, ZoneId zone) {
        if (zone.equals(ZoneOffset.UTC) && (unit == Unit.HOUR || unit == Unit.DAY)) {
            // Before 1970 this rounds towards 1970, as YTsaurus does.
            return seconds - seconds % (unit == Unit.HOUR ? HOUR_SECONDS : DAY_SECONDS);
        }
        ZonedDateTime moment = Instant.ofEpochSecond(seconds).atZone(zone);
        if (unit == Unit.HOUR) {
            return seconds
                    - moment.getMinute() * ChronoUnit.MINUTES.getDuration().toSeconds()
                    - moment.getSecond();
        }
        LocalDate day = moment.toLocalDate();
        LocalDate first =
                switch (unit) {
                    case WEEK -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
                    case MONTH -> day.withDayOfMonth(1);
                    case QUARTER ->
                            day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3);
                    case YEAR -> day.withDayOfYear(1);
                    case HOUR, DAY -> day;
                };
        // Midnight, or the first moment after it where clocks are set forward at midnight.
        return first.atTime(LocalTime.MIDNIGHT).atZone(zone).toEpochSecond();
    }

    private static Value format(long seconds, ZoneId zone, Value format) {
        Bytes bytes = YtArithmetic.bytes(format);
        if (bytes.length() > MAX_FORMAT_BYTES) {
            throw YtQueryErrors.failure(
                    "Format string is too long: %d > %d"
                            .formatted(bytes.length(), MAX_FORMAT_BYTES));
        }
        ZonedDateTime moment = Instant.ofEpochSecond(seconds).atZone(zone);
        return Value.binary(StrfTime.format(moment, bytes));
    }
}
