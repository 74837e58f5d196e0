package io.cleave.balance.yt.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/// The local minutes that one iteration tests: `[from, to)`, counted from the epoch.
///
/// @param from the first minute
/// @param to the minute after the last one; not above `from` if nothing is tested
public record Slots(long from, long to) {
    /// A formula depends only on the time of day, so more minutes would say nothing new.
    static final int MINUTES_OF_DAY = 24 * 60;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    public Slots {
        from = Math.max(from, to - MINUTES_OF_DAY);
    }

    /// The minutes tested by the iteration that starts at `current`.
    ///
    /// If iterations start a minute or more apart, these are the minutes after the one of the
    /// previous start, up to that of the current start; the first iteration tests only its own
    /// minute. If they start more often, each tests its own minute, so a schedule that is true for
    /// a minute is followed several times in it.
    ///
    /// @param previous the latest earlier start. A clock that was set back repeats no minute
    /// @param period the time between starts of iterations
    public static Slots between(
            Optional<Instant> previous, Instant current, Duration period, ZoneId zone) {
        var clock = new LocalClock(zone);
        Instant before =
                previous.filter(_ -> period.compareTo(MINUTE) >= 0).orElse(current.minus(MINUTE));
        return new Slots(clock.minute(before) + 1, clock.minute(current) + 1);
    }

    static Instant startOfMinute(Instant instant) {
        return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), 60L) * 60);
    }

    public boolean isEmpty() {
        return to <= from;
    }

    static int hours(long minute) {
        return (int) Math.floorMod(Math.floorDiv(minute, 60L), 24L);
    }

    static int minutes(long minute) {
        return (int) Math.floorMod(minute, 60L);
    }

    static LocalDateTime local(long minute) {
        return LocalDateTime.ofEpochSecond(minute * 60, 0, ZoneOffset.UTC);
    }
}
