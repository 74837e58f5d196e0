package io.cleave.balance.yt.schedule;

import io.cleave.balance.yt.formula.Formula;
import io.cleave.balance.yt.formula.FormulaResult;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Optional;

/// The schedule of a group of a bundle.
///
/// @param group the group's name
/// @param origin where the formula is set
public record Schedule(String group, Formula formula, Origin origin) {
    /// The schedule of a cluster on which none was set.
    public static final Formula CLUSTER_DEFAULT = Formula.parse("minutes % 5 == 0");

    /// Where a formula is set, from the one that wins over all others.
    public enum Origin {
        GROUP,
        BUNDLE,
        CLUSTER
    }

    /// What a schedule says of the minutes of an iteration.
    ///
    /// @param fired the first minute at which the formula is true
    /// @param error the first error of the formula; at its minute the formula counts as false
    public record Verdict(Optional<LocalDateTime> fired, Optional<YtError> error) {}

    /// The schedule of a group: its own formula, or that of the bundle, or that of the cluster. An
    /// empty formula is none.
    public static Schedule of(String group, BundleSettings bundle, Formula cluster) {
        Formula ofGroup =
                Optional.ofNullable(bundle.groups().get(group))
                        .map(GroupSettings::schedule)
                        .orElse(Formula.EMPTY);
        if (!ofGroup.isEmpty()) {
            return new Schedule(group, ofGroup, Origin.GROUP);
        }
        return bundle.tabletBalancerSchedule().isEmpty()
                ? new Schedule(group, cluster, Origin.CLUSTER)
                : new Schedule(group, bundle.tabletBalancerSchedule(), Origin.BUNDLE);
    }

    /// The formula that was set for the cluster. Throws if it is no formula or is empty.
    public static Formula cluster(String text) {
        Formula formula = Formula.parse(text);
        if (formula.isEmpty()) {
            throw new YtException(
                    YtCodes.GENERIC, "tablet_balancer_schedule cannot be empty in master config");
        }
        return formula;
    }

    /// The formula, and where it is set: `minutes % 5 == 0 (set for the cluster)`.
    public String text() {
        return "%s (set for the %s)"
                .formatted(formula.text(), origin.name().toLowerCase(Locale.ROOT));
    }

    /// Whether the tables of the group are balanced by an iteration that tests these minutes.
    public Verdict test(Slots slots) {
        Optional<LocalDateTime> fired = Optional.empty();
        Optional<YtError> error = Optional.empty();
        for (long minute = slots.from(); minute < slots.to(); minute++) {
            LocalDateTime local = Slots.local(minute);
            switch (at(minute)) {
                case FormulaResult.Value value ->
                        fired = fired.isEmpty() && value.isTrue() ? Optional.of(local) : fired;
                case FormulaResult.Failure(String why) ->
                        error = error.or(() -> Optional.of(error(why, local)));
            }
        }
        return new Verdict(fired, error);
    }

    FormulaResult at(long minute) {
        return formula.evaluate(Slots.hours(minute), Slots.minutes(minute));
    }

    private YtError error(String why, LocalDateTime local) {
        return YtError.of(
                        YtCodes.SCHEDULE_FORMULA_EVALUATION_FAILED,
                        "Failed to evaluate tablet balancer schedule formula for group \"%s\""
                                .formatted(group))
                .with(YtError.of(YtCodes.GENERIC, why).with("local_time", local.toString()));
    }
}
