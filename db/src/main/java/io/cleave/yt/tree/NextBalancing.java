package io.cleave.yt.tree;

import io.cleave.balance.yt.schedule.BundleRounds;
import io.cleave.balance.yt.schedule.BundleRounds.GroupRounds;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.balance.yt.schedule.UpcomingRounds.Range;
import io.cleave.balance.yt.settings.BundleConfig;
import io.cleave.base.Env;
import io.cleave.catalog.CatalogView;
import io.cleave.tree.BalancerConfig;
import io.cleave.tree.CypressChange;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.BundleOutlook.Work;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;

/// When the tables of a bundle are balanced next, as the stored settings say.
public final class NextBalancing {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mmxxx", Locale.ROOT);

    private NextBalancing() {}

    /// The names of all bundles.
    public static List<String> bundles(CypressTree tree) {
        return List.copyOf(CellObjects.bundles(tree.view(), tree.database()));
    }

    /// The rounds of the next 24 hours.
    public static BundleRounds of(CatalogView view, String database, String bundle, Env env) {
        Instant now = Instant.EPOCH.plus(env.wallMicros(), ChronoUnit.MICROS);
        YsonNode config =
                view.cypress(CellObjects.bundlePath(database, bundle))
                        .map(CypressChange::attributes)
                        .orElse(YsonNode.Members.EMPTY)
                        .member(BundleAttributes.BALANCER_CONFIG)
                        .orElse(YsonNode.Members.EMPTY);
        boolean hasCells = !view.bundles().getOrDefault(bundle, List.of()).isEmpty();
        try {
            return BundleRounds.of(
                    ClusterConfig.read(BalancerConfig.stored(view, database)),
                    BundleConfig.read(config),
                    hasCells,
                    now,
                    env.zone());
        } catch (YtException e) {
            return BundleRounds.none(e.error().text(), now, env.zone());
        }
    }

    /// The value of the attribute `next_balancing`.
    static YsonNode shown(BundleRounds rounds, BundleOutlook outlook, String bundle) {
        return shown(
                rounds, rounds.groups().isEmpty() ? new LinkedHashMap<>() : outlook.now(bundle));
    }

    /// @param now what a round of each group would do, by the group's name
    private static YsonNode shown(BundleRounds rounds, SequencedMap<String, Work> now) {
        ZoneId zone = rounds.zone();
        var groups = YsonNode.map();
        for (GroupRounds each : rounds.groups()) {
            String name = each.schedule().group();
            Optional<Work> work = Optional.ofNullable(now.get(name));
            groups.with(name, shown(each, work, zone));
        }
        var shown =
                YsonNode.map()
                        .with("time_zone", zone.getId())
                        .with("from", time(rounds.from(), zone))
                        .with("to", time(rounds.to(), zone));
        rounds.none().ifPresent(why -> shown.with("why_none", why));
        return shown.with("groups", groups.build()).build();
    }

    private static YsonNode shown(GroupRounds group, Optional<Work> now, ZoneId zone) {
        String origin = group.schedule().origin().name().toLowerCase(Locale.ROOT);
        var shown =
                YsonNode.map()
                        .with("schedule", group.schedule().formula().text())
                        .with("origin", origin)
                        .with(
                                "rounds",
                                YsonNode.list(
                                        group.rounds().ranges().stream()
                                                .map(range -> shown(range, zone))
                                                .toList()));
        now.ifPresent(work -> shown.with("now", shown(work)));
        group.none().ifPresent(why -> shown.with("why_none", why));
        group.problem().ifPresent(problem -> shown.with("error", problem));
        return shown.build();
    }

    private static YsonNode shown(Work work) {
        return YsonNode.map()
                .with("reshard_count", work.reshards())
                .with("resharded_tablet_count", work.resharded())
                .with("resharded_data_size", work.reshardedBytes())
                .with("new_tablet_count", work.made())
                .with("moved_tablet_count", work.moved())
                .with("moved_data_size", work.movedBytes())
                .build();
    }

    /// The value of the attribute `tablet_balancer_errors`.
    static YsonNode shown(List<BundleOutlook.Problem> problems) {
        return YsonNode.list(
                problems.stream()
                        .map(
                                problem ->
                                        (YsonNode)
                                                YsonNode.map()
                                                        .with("time", Times.text(problem.micros()))
                                                        .with("message", problem.text())
                                                        .build())
                        .toList());
    }

    private static YsonNode shown(Range range, ZoneId zone) {
        return YsonNode.map()
                .with("from", time(range.from(), zone))
                .with("to", time(range.to(), zone))
                .build();
    }

    private static String time(Instant instant, ZoneId zone) {
        return TIME.format(instant.atZone(zone));
    }
}
