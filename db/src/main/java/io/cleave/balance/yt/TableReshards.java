package io.cleave.balance.yt;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.Rule;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.ReshardKeys.NewTablets;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.reshard.LeaveReason;
import io.cleave.balance.yt.reshard.LeftTablet;
import io.cleave.balance.yt.reshard.MetricBounds;
import io.cleave.balance.yt.reshard.MetricReshard;
import io.cleave.balance.yt.reshard.Reshard;
import io.cleave.balance.yt.reshard.ReshardDecisions;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.reshard.ReshardTable;
import io.cleave.balance.yt.reshard.ReshardTablet;
import io.cleave.balance.yt.reshard.SizeBounds;
import io.cleave.balance.yt.reshard.SizeReshard;
import io.cleave.balance.yt.reshard.Trigger;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupChoice;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Decides which tablets of a table are cut anew, and at which keys: by the metric of its group, if
/// the group reshards by it and the table says how many tablets or how much load in each it wants;
/// by size otherwise.
///
/// The rules of size assume that tablets can be cut evenly, and rows of very different sizes may
/// not allow that. So the tablets of a reshard are left alone unless the new ones miss the bounds
/// of the table by clearly fewer bytes. As every change makes that sum smaller, a table comes to
/// rest whatever its rows are.
final class TableReshards {
    /// The bytes by which the new tablets may miss the bounds, relative to those of the old ones.
    private static final double MOST_MISSED = 0.9;

    private final String bundleName;
    private final BundleSettings bundle;
    private final int cellCount;
    private final ReshardOptions options;
    private final KeyFacts facts;
    private final MetricGroups groups;
    private final RoundLimits limits;
    private final PolicyAnswer answer;

    TableReshards(
            String bundleName,
            BundleSettings bundle,
            int cellCount,
            ReshardOptions options,
            KeyFacts facts,
            MetricGroups groups,
            RoundLimits limits,
            PolicyAnswer answer) {
        this.bundleName = bundleName;
        this.bundle = bundle;
        this.cellCount = cellCount;
        this.options =
                new ReshardOptions(
                        options.minDesiredTabletSize(),
                        options.ignoreTabletToCellRatio(),
                        options.pickReshardPivotKeys() && bundle.enablePickPivotKeys());
        this.facts = facts;
        this.groups = groups;
        this.limits = limits;
        this.answer = answer;
    }

    /// Returns the ids of the tablets that are resharded.
    Set<Long> decide(BalancedTable table) {
        switch (table.group()) {
            case GroupChoice.Absent _ -> {
                return leaveAll(table, LeaveReason.NO_GROUP);
            }
            case GroupChoice.Chosen(_, var group) -> {
                if (!group.enableReshard()) {
                    return leaveAll(table, LeaveReason.SWITCHED_OFF_AT_GROUP);
                }
            }
        }
        return table.group().reshardsByMetric(table.settings(), bundle, false)
                ? byMetric(table)
                : bySize(table, Trigger.ROUND);
    }

    private Set<Long> byMetric(BalancedTable table) {
        double @Nullable [] metrics = groups.metrics(table);
        if (metrics == null) {
            String why = groups.problem(table).orElseThrow();
            answer.leaveAll(table.state(), Rule.RESHARD_BY_METRIC, why);
            return Set.of();
        }
        if (!bundle.enableTabletSizeBalancer()) {
            String why = LeaveReason.SWITCHED_OFF_AT_BUNDLE.text();
            answer.leaveAll(table.state(), Rule.RESHARD_BY_METRIC, why);
            return Set.of();
        }
        ReshardTable given = reshardTable(table, metrics);
        ReshardDecisions decisions = MetricReshard.plan(given, true, Trigger.ROUND);
        Map<Long, Integer> indexes = indexes(table, decisions);
        Set<Long> resharded = new HashSet<>();
        if (!decisions.actions().isEmpty()) {
            MetricBounds bounds = MetricBounds.of(given);
            for (Reshard reshard : decisions.actions()) {
                if (byMetric(table, bounds, metrics, reshard, indexes)) {
                    resharded.addAll(reshard.tabletIds());
                }
            }
        }
        for (LeftTablet left : decisions.left()) {
            leave(table, left.tabletId(), Rule.RESHARD_BY_METRIC, left.figures(), left.reason());
        }
        return resharded;
    }

    /// Returns whether the tablets are resharded.
    private boolean byMetric(
            BalancedTable table,
            MetricBounds bounds,
            double[] metrics,
            Reshard reshard,
            Map<Long, Integer> indexes) {
        List<TabletState> tablets = tablets(table, reshard, indexes);
        double metric = 0;
        for (TabletState tablet : tablets) {
            metric += metrics[Objects.requireNonNull(indexes.get(tablet.tabletId()))];
        }
        Optional<Decision.Reshard> decided =
                new TableMetricReshards(facts).decide(table, reshard, tablets, metric, bounds);
        if (decided.isEmpty() || !limits.takeReshard(bundleName, table.groupName(), reshard)) {
            LeaveReason reason = decided.isPresent() ? LeaveReason.LIMIT : LeaveReason.NOT_NEARER;
            for (long tabletId : reshard.tabletIds()) {
                leave(table, tabletId, Rule.RESHARD_BY_METRIC, reshard.figures(), reason);
            }
            return false;
        }
        answer.change(table.id(), decided.get());
        return true;
    }

    /// Decides as a user's command asks: groups, metrics and switches do not count.
    void decideByCommand(BalancedTable table) {
        var _ = bySize(table, Trigger.COMMAND);
    }

    private Set<Long> bySize(BalancedTable table, Trigger trigger) {
        ReshardTable given = reshardTable(table, null);
        ReshardDecisions decisions = SizeReshard.plan(given, options, trigger);
        Map<Long, Integer> indexes = indexes(table, decisions);
        Set<Long> resharded = new HashSet<>();
        if (!decisions.actions().isEmpty()) {
            SizeBounds bounds = SizeBounds.of(given, options);
            for (Reshard reshard : decisions.actions()) {
                if (bySize(table, bounds, reshard, indexes)) {
                    resharded.addAll(reshard.tabletIds());
                }
            }
        }
        for (LeftTablet left : decisions.left()) {
            leave(table, left.tabletId(), Rule.RESHARD_BY_SIZE, left.figures(), left.reason());
        }
        return resharded;
    }

    /// @param metrics of its tablets; null if it is resharded by size
    private ReshardTable reshardTable(BalancedTable table, double @Nullable [] metrics) {
        List<ReshardTablet> tablets = new ArrayList<>(table.state().tablets().size());
        for (TabletState tablet : table.state().tablets()) {
            int place = tablets.size();
            tablets.add(
                    new ReshardTablet(
                            tablet.tabletId(),
                            tablet.mountState(),
                            tablet.fileBytes(),
                            tablet.bytes(),
                            // A single row cannot be divided.
                            tablet.rows() > 1 ? 2 : 1,
                            metrics == null ? 0 : metrics[place]));
        }
        return new ReshardTable(
                true, table.inMemoryMode(), table.settings(), bundle, cellCount, tablets);
    }

    /// The places of tablets in their table, by id; needed only for reshards.
    private static Map<Long, Integer> indexes(BalancedTable table, ReshardDecisions decisions) {
        Map<Long, Integer> indexes = new HashMap<>();
        if (!decisions.actions().isEmpty()) {
            List<TabletState> tablets = table.state().tablets();
            for (int index = 0; index < tablets.size(); index++) {
                indexes.put(tablets.get(index).tabletId(), index);
            }
        }
        return indexes;
    }

    private static List<TabletState> tablets(
            BalancedTable table, Reshard reshard, Map<Long, Integer> indexes) {
        int from = Objects.requireNonNull(indexes.get(reshard.tabletIds().getFirst()));
        return table.state().tablets().subList(from, from + reshard.tabletIds().size());
    }

    /// Returns whether the tablets are resharded.
    private boolean bySize(
            BalancedTable table, SizeBounds bounds, Reshard reshard, Map<Long, Integer> indexes) {
        List<TabletState> tablets = tablets(table, reshard, indexes);
        boolean byFiles = table.inMemoryMode() == InMemoryMode.COMPRESSED;
        long missedNow = 0;
        for (TabletState tablet : tablets) {
            missedNow += missed(byFiles ? tablet.fileBytes() : tablet.bytes(), bounds);
        }
        NewTablets made = ReshardKeys.choose(tablets, byFiles, reshard.newCount(), facts);
        long missedThen = 0;
        for (long bytes : made.sizes()) {
            missedThen += missed(bytes, bounds);
        }
        boolean isNearer = missedThen <= MOST_MISSED * missedNow;
        if (!isNearer || !limits.takeReshard(bundleName, table.groupName(), reshard)) {
            LeaveReason reason = isNearer ? LeaveReason.LIMIT : LeaveReason.NOT_NEARER;
            for (TabletState tablet : tablets) {
                leave(table, tablet.tabletId(), Rule.RESHARD_BY_SIZE, reshard.figures(), reason);
            }
            return false;
        }
        answer.change(
                table.id(),
                new Decision.Reshard(
                        reshard.tabletIds(),
                        made.keys(),
                        Rule.RESHARD_BY_SIZE,
                        reshard.figures(),
                        reshard.cause().text()));
        return true;
    }

    /// By how many bytes a tablet of this size misses the bounds.
    private static long missed(long bytes, SizeBounds bounds) {
        return Math.max(0, bounds.min() - bytes) + Math.max(0, bytes - bounds.max());
    }

    private Set<Long> leaveAll(BalancedTable table, LeaveReason reason) {
        answer.leaveAll(table.state(), Rule.RESHARD_BY_SIZE, reason.text());
        return Set.of();
    }

    private void leave(
            BalancedTable table,
            long tabletId,
            Rule rule,
            List<Figure> figures,
            LeaveReason reason) {
        answer.leave(
                table.id(), () -> new Leave(tabletId, rule, figures, List.of(), reason.text()));
    }
}
