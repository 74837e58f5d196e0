package io.cleave.balance.yt.schedule;

import io.cleave.balance.yt.formula.FormulaResult;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an iteration finds out about a group: whether a minute since the group's latest start fires
/// its schedule.
///
/// Minutes that are too long ago are not made up, because a schedule also says when *not* to
/// balance. A start far in the future comes from a wrong clock and does not count.
///
/// @param start the start to be remembered; it never goes back, so that a clock that was set back
///   repeats no minute
/// @param fired the first minute at which the formula is true
/// @param missed the minutes that were too long ago and at which the formula is true
public record MinuteCheck(
        Instant start,
        Optional<LocalDateTime> fired,
        Optional<Missed> missed,
        List<YtError> errors) {
    /// Minutes up to this long ago are made up, or up to a bit more than a period.
    static final Duration MADE_UP = Duration.ofMinutes(10);

    static final Duration MOST_AHEAD = Duration.ofHours(1);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /// Minutes at which the schedule was true and no iteration could follow it.
    ///
    /// @param first local, like `last`
    public record Missed(LocalDateTime first, LocalDateTime last, int count) {
        public String text() {
            return count == 1
                    ? "the schedule was true at %s, and nothing was balanced then".formatted(first)
                    : "the schedule was true in %d minutes from %s to %s, and nothing was balanced then"
                            .formatted(count, first, last);
        }
    }

    public MinuteCheck {
        errors = List.copyOf(errors);
    }

    /// Tests the minutes since the previous start.
    ///
    /// @param previous the remembered start
    /// @param period the time between starts of iterations
    public static MinuteCheck of(
            Schedule schedule,
            Optional<Instant> previous,
            Instant now,
            Duration period,
            ZoneId zone) {
        Optional<Instant> known = previous.filter(start -> !start.isAfter(now.plus(MOST_AHEAD)));
        Slots all = Slots.between(known, now, period, zone);
        Duration late = period.plus(MINUTE).compareTo(MADE_UP) > 0 ? period.plus(MINUTE) : MADE_UP;
        long from = Math.max(all.from(), new LocalClock(zone).minute(now.minus(late)));
        Schedule.Verdict verdict = schedule.test(new Slots(from, all.to()));
        List<YtError> errors = new ArrayList<>();
        if (previous.isPresent() && known.isEmpty()) {
            errors.add(dropped(schedule, previous.get()));
        }
        Optional<Missed> missed =
                from > all.from()
                        ? missed(schedule, new Slots(all.from(), from))
                        : Optional.empty();
        missed.ifPresent(minutes -> errors.add(error(schedule, minutes)));
        verdict.error().ifPresent(errors::add);
        return new MinuteCheck(
                known.filter(start -> start.isAfter(now)).orElse(now),
                verdict.fired(),
                missed,
                errors);
    }

    private static Optional<Missed> missed(Schedule schedule, Slots slots) {
        long first = 0;
        long last = 0;
        int count = 0;
        for (long minute = slots.from(); minute < slots.to(); minute++) {
            if (schedule.at(minute) instanceof FormulaResult.Value value && value.isTrue()) {
                first = count == 0 ? minute : first;
                last = minute;
                count++;
            }
        }
        return count == 0
                ? Optional.empty()
                : Optional.of(new Missed(Slots.local(first), Slots.local(last), count));
    }

    private static YtError error(Schedule schedule, Missed missed) {
        return YtError.of(
                        YtCodes.GENERIC,
                        "Rounds of group \"%s\" were missed".formatted(schedule.group()))
                .with(YtError.of(YtCodes.GENERIC, missed.text()));
    }

    private static YtError dropped(Schedule schedule, Instant start) {
        return YtError.of(
                YtCodes.GENERIC,
                ("The latest start of group \"%s\", %s, is more than an hour in the future; it is"
                                + " forgotten, because a clock was wrong")
                        .formatted(schedule.group(), start));
    }
}
