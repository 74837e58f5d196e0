package io.cleave.balance.yt.whatif;

import io.cleave.balance.yt.formula.Formula;
import io.cleave.balance.yt.schedule.BundleRounds;
import io.cleave.balance.yt.schedule.Schedule;
import io.cleave.balance.yt.schedule.Slots;
import io.cleave.balance.yt.settings.BundleSettings;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// Which groups of a bundle have a round at a minute.
final class GroupTimes {
    private GroupTimes() {}

    /// Why each group has no round, by its name; groups that have one are not there.
    ///
    /// @param cluster the formula of groups that have none of their own, nor of the bundle
    static SequencedMap<String, String> idle(
            BundleSettings bundle, Formula cluster, Instant at, ZoneId zone) {
        Slots minute = Slots.between(Optional.empty(), at, Duration.ZERO, zone);
        var idle = new LinkedHashMap<String, String>();
        for (String group : bundle.groups().keySet()) {
            Schedule schedule = Schedule.of(group, bundle, cluster);
            why(schedule, minute).ifPresent(why -> idle.put(group, why));
        }
        return idle;
    }

    private static Optional<String> why(Schedule schedule, Slots minute) {
        String formula =
                "the schedule of group '%s', %s".formatted(schedule.group(), schedule.text());
        if (minute.isEmpty()) {
            return Optional.of(
                    formula + ", is not tested then, because the clock repeats the hour");
        }
        Schedule.Verdict verdict = schedule.test(minute);
        if (verdict.fired().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                verdict.error()
                        .map(error -> "%s, fails: %s".formatted(formula, BundleRounds.cause(error)))
                        .orElse(formula + ", is not true then"));
    }
}
