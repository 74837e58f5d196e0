package io.cleave.balance.yt.schedule;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;
import io.cleave.yt.error.YtError;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// When the tables of a bundle are balanced in the next 24 hours, for each of its groups.
///
/// @param from the first minute that is looked at
/// @param to the minute after the last one
/// @param none why no group has rounds; empty if the groups say it themselves
/// @param groups none if all of them have no rounds for the same reason
public record BundleRounds(
        ZoneId zone, Instant from, Instant to, Optional<String> none, List<GroupRounds> groups) {
    /// The rounds of one group.
    ///
    /// @param none why the group has no rounds; empty if it has some
    public record GroupRounds(Schedule schedule, UpcomingRounds rounds, Optional<String> none) {
        /// Why the formula has no value at a minute. Such a minute is no round.
        public Optional<String> problem() {
            return rounds.error().map(BundleRounds::cause);
        }
    }

    /// What is wrong with a formula, of the error that a schedule gives.
    public static String cause(YtError error) {
        return error.innerErrors().stream().findFirst().orElse(error).message();
    }

    public BundleRounds {
        groups = List.copyOf(groups);
    }

    /// The rounds from the minute of `now` on.
    ///
    /// @param hasCells whether the bundle has cells, without which it has no tablets
    public static BundleRounds of(
            ClusterConfig cluster,
            BundleSettings bundle,
            boolean hasCells,
            Instant now,
            ZoneId zone) {
        if (!cluster.enable()) {
            return none("\"enable\" of //sys/tablet_balancer/config is %false", now, zone);
        }
        if (!hasCells) {
            return none("the bundle has no cells", now, zone);
        }
        List<GroupRounds> groups = new ArrayList<>();
        bundle.groups()
                .forEach(
                        (name, group) -> {
                            Schedule schedule = Schedule.of(name, bundle, cluster.schedule());
                            groups.add(
                                    isOff(bundle, name, group)
                                            ? off(schedule, switches(bundle, name, group))
                                            : on(schedule, now, zone));
                        });
        return new BundleRounds(zone, from(now), to(now), Optional.empty(), groups);
    }

    /// No group has rounds.
    public static BundleRounds none(String why, Instant now, ZoneId zone) {
        return new BundleRounds(zone, from(now), to(now), Optional.of(why), List.of());
    }

    private static Instant from(Instant now) {
        return Slots.startOfMinute(now);
    }

    private static Instant to(Instant now) {
        return from(now).plus(UpcomingRounds.HORIZON);
    }

    private static GroupRounds on(Schedule schedule, Instant now, ZoneId zone) {
        UpcomingRounds rounds = UpcomingRounds.of(schedule, now, zone);
        if (!rounds.ranges().isEmpty()) {
            return new GroupRounds(schedule, rounds, Optional.empty());
        }
        String none =
                rounds.error().isPresent()
                        ? "the formula fails"
                        : "the formula is not true at any minute of the next 24 hours";
        return new GroupRounds(schedule, rounds, Optional.of(none));
    }

    private static GroupRounds off(Schedule schedule, List<String> switches) {
        return new GroupRounds(
                schedule,
                new UpcomingRounds(List.of(), Optional.empty()),
                Optional.of("switched off: " + String.join(", ", switches)));
    }

    /// Whether the tables of the group are neither resharded nor moved.
    private static boolean isOff(BundleSettings bundle, String name, GroupSettings group) {
        boolean reshards =
                bundle.enableTabletSizeBalancer() || (isByMetric(group) && group.enableReshard());
        boolean moves = group.enableMove() && (isByMetric(group) || movesLegacy(bundle, name));
        return !reshards && !moves;
    }

    private static boolean isByMetric(GroupSettings group) {
        return group.type() == GroupSettings.Type.PARAMETERIZED;
    }

    private static boolean movesLegacy(BundleSettings bundle, String name) {
        return name.equals(BundleSettings.LEGACY_IN_MEMORY_GROUP)
                ? bundle.enableInMemoryCellBalancer()
                : bundle.enableCellBalancer();
    }

    /// The options that are switched off and would switch the group on.
    private static List<String> switches(BundleSettings bundle, String name, GroupSettings group) {
        List<String> switches = new ArrayList<>(List.of("enable_tablet_size_balancer"));
        if (isByMetric(group)) {
            switches.add("groups/%s/enable_reshard".formatted(name));
        }
        if (!group.enableMove()) {
            switches.add("groups/%s/enable_move".formatted(name));
        }
        if (!isByMetric(group) && !movesLegacy(bundle, name)) {
            switches.add(
                    name.equals(BundleSettings.LEGACY_IN_MEMORY_GROUP)
                            ? "enable_in_memory_cell_balancer"
                            : "enable_cell_balancer");
        }
        return switches;
    }
}
