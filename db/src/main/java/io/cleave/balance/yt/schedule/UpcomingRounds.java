package io.cleave.balance.yt.schedule;

import io.cleave.yt.error.YtError;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The minutes of the next 24 hours at which a schedule is true. The list is bounded by their
/// number: a range begins at most in every second minute.
///
/// @param error the first error of the formula
public record UpcomingRounds(List<Range> ranges, Optional<YtError> error) {
    static final Duration HORIZON = Duration.ofHours(24);

    /// The schedule is true in every minute of `[from, to)`.
    public record Range(Instant from, Instant to) {}

    public UpcomingRounds {
        ranges = List.copyOf(ranges);
    }

    /// The rounds from the minute of `now` on. A local minute that the clock skips counts for the
    /// minute that follows.
    public static UpcomingRounds of(Schedule schedule, Instant now, ZoneId zone) {
        Instant first = Slots.startOfMinute(now);
        List<Range> ranges = new ArrayList<>();
        Optional<YtError> error = Optional.empty();
        Instant open = null;
        Instant end = first.plus(HORIZON);
        for (Instant minute = first; minute.isBefore(end); minute = minute.plusSeconds(60)) {
            Schedule.Verdict verdict =
                    schedule.test(Slots.between(Optional.empty(), minute, Duration.ZERO, zone));
            error = error.or(verdict::error);
            if (verdict.fired().isPresent()) {
                open = open == null ? minute : open;
            } else if (open != null) {
                ranges.add(new Range(open, minute));
                open = null;
            }
        }
        if (open != null) {
            ranges.add(new Range(open, end));
        }
        return new UpcomingRounds(ranges, error);
    }
}
