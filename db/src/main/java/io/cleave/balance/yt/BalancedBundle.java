package io.cleave.balance.yt;

import io.cleave.balance.BundleState;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Due;
import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.StoredConfigs.Result;
import io.cleave.balance.yt.StoredConfigs.TableRead;
import io.cleave.balance.yt.metric.CompiledMetrics;
import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.balance.yt.move.CellMove;
import io.cleave.balance.yt.move.InMemoryMoves;
import io.cleave.balance.yt.move.MovableTable;
import io.cleave.balance.yt.move.MovePlan;
import io.cleave.balance.yt.move.OrdinaryMoves;
import io.cleave.balance.yt.move.StayReason;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.settings.BundleSettings;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A bundle with the tables of the policy that are in it: the decisions of one round.
final class BalancedBundle {
    private final String name;
    private final BundleSettings settings;
    private final int cellCount;

    /// By table id.
    private final Map<Long, BalancedTable> tables;

    /// The ids of tablets that are resharded.
    private final Set<Long> resharded = new HashSet<>();

    private final Set<String> reshardedGroups = new HashSet<>();
    private final MetricGroups metricGroups;

    private final Optional<Set<Due>> due;
    private final RoundLimits limits;

    private BalancedBundle(
            String name,
            BundleSettings settings,
            int cellCount,
            Map<Long, BalancedTable> tables,
            Optional<Set<Due>> due,
            RoundLimits limits,
            CompiledMetrics metrics) {
        this.name = name;
        this.settings = settings;
        this.cellCount = cellCount;
        this.tables = tables;
        this.due = due;
        this.limits = limits;
        metricGroups = new MetricGroups(settings, tables.values(), metrics);
    }

    /// Empty if the settings of the bundle cannot be read. A table whose settings cannot be read is
    /// not among its tables. The tablets of both are left alone.
    static Optional<BalancedBundle> of(
            BundleState bundle,
            int cellCount,
            List<TableState> tables,
            Optional<Set<Due>> due,
            StoredConfigs configs,
            RoundLimits limits,
            CompiledMetrics metrics,
            PolicyAnswer answer) {
        return switch (configs.bundle(bundle)) {
            case Result.Broken<BundleSettings>(String why) -> {
                String text = "bundle '%s': %s".formatted(bundle.name(), why);
                tables.forEach(table -> answer.leaveAll(table, Rule.RESHARD_BY_SIZE, text));
                yield Optional.empty();
            }
            case Result.Read<BundleSettings>(BundleSettings settings) -> {
                Map<Long, BalancedTable> readable = new LinkedHashMap<>();
                for (TableState table : tables) {
                    switch (configs.table(table.table())) {
                        case Result.Broken<TableRead>(String why) ->
                                answer.leaveAll(table, Rule.RESHARD_BY_SIZE, why);
                        case Result.Read<TableRead>(TableRead read) -> {
                            long tableId = table.table().id();
                            readable.put(tableId, BalancedTable.of(table, read, settings));
                            if (settings.enableVerboseLogging()
                                    || read.settings().enableVerboseLogging()) {
                                answer.setVerbose(tableId);
                            }
                        }
                    }
                }
                yield Optional.of(
                        new BalancedBundle(
                                bundle.name(),
                                settings,
                                cellCount,
                                readable,
                                due,
                                limits,
                                metrics));
            }
        };
    }

    String name() {
        return name;
    }

    /// Whether moves are due in one of its groups.
    boolean areMovesPlanned() {
        return due.isEmpty()
                || due.get().stream()
                        .anyMatch(
                                each -> each.bundle().equals(name) && each.kind() == Due.Kind.MOVE);
    }

    /// Why groups that are due are not balanced by their metrics.
    List<String> problems() {
        return metricGroups.errors(
                group -> isDue(group, Due.Kind.MOVE) || isDue(group, Due.Kind.RESHARD));
    }

    private boolean isDue(BalancedTable table, Due.Kind kind) {
        return isDue(table.groupName(), kind);
    }

    private boolean isDue(String group, Due.Kind kind) {
        return due.isEmpty() || due.get().contains(new Due(name, group, kind));
    }

    void reshard(ReshardOptions options, KeyFacts facts, PolicyAnswer answer) {
        var reshards =
                new TableReshards(
                        name, settings, cellCount, options, facts, metricGroups, limits, answer);
        for (BalancedTable table : tables.values()) {
            if (!isDue(table, Due.Kind.RESHARD)) {
                continue;
            }
            Set<Long> tabletIds = reshards.decide(table);
            if (!tabletIds.isEmpty()) {
                resharded.addAll(tabletIds);
                reshardedGroups.add(table.groupName());
            }
        }
    }

    /// Reshards the tables as a user's command asks.
    void reshardByCommand(ReshardOptions options, KeyFacts facts, PolicyAnswer answer) {
        var reshards =
                new TableReshards(
                        name, settings, cellCount, options, facts, metricGroups, limits, answer);
        tables.values().forEach(reshards::decideByCommand);
    }

    /// Moves in-memory tablets as a user's command asks.
    ///
    /// @param tableIds the tables whose tablets may be moved; empty for all of the bundle
    void moveByCommand(BundleLoad load, Set<Long> tableIds, PolicyAnswer answer) {
        MovePlan plan = InMemoryMoves.command(load, settings, tableIds);
        Map<Long, BalancedTable> all = new HashMap<>();
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            BalancedTable table = tables.get(load.table(load.tableOf(tablet)).tableId());
            if (table != null) {
                all.put(load.tabletId(tablet), table);
            }
        }
        add(plan, Rule.MOVE_BY_MEMORY, all, answer);
    }

    /// What the rules of moves see of a table; tables of others stay where they are.
    MovableTable movable(TableState table) {
        BalancedTable own = tables.get(table.table().id());
        return own == null
                ? new MovableTable(table.table().id(), false, "", false, false)
                : own.movable(settings);
    }

    /// The metrics of the table's tablets, by their places; null if it has none.
    double @Nullable [] metrics(TableState table) {
        BalancedTable own = tables.get(table.table().id());
        return own == null || !isDue(own, Due.Kind.MOVE) ? null : metricGroups.metrics(own);
    }

    /// @param load the tablets in the cells of the bundle
    void move(BundleLoad load, PolicyAnswer answer) {
        MovePlan byMemory = InMemoryMoves.round(load, settings);
        // Equal cells are taken in an order that depends on the bundle only, so that a plan shows
        // what a round would do.
        MovePlan byCount = OrdinaryMoves.round(load, settings, name.hashCode());
        Map<String, MovePlan> byMetric =
                metricGroups.plans(load, group -> isDue(group, Due.Kind.MOVE));
        Map<Long, BalancedTable> moved = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            BalancedTable table = tables.get(load.table(load.tableOf(tablet)).tableId());
            if (table == null) {
                continue;
            }
            long tabletId = load.tabletId(tablet);
            seen.add(tabletId);
            @Nullable MovePlan plan = byMetric.get(table.groupName());
            if (!table.isByMetric(settings)) {
                plan = table.isInMemory() ? byMemory : byCount;
            }
            if (plan != null && plan.stay(tablet).isEmpty()) {
                moved.put(tabletId, table);
            } else if (!resharded.contains(tabletId) && isDue(table, Due.Kind.MOVE)) {
                MovePlan ofTablet = plan;
                int index = tablet;
                answer.leave(table.id(), () -> leave(tabletId, table, ofTablet, index));
            }
        }
        add(byMemory, Rule.MOVE_BY_MEMORY, moved, answer);
        add(byCount, Rule.MOVE_BY_COUNT, moved, answer);
        byMetric.values().forEach(plan -> add(plan, Rule.MOVE_BY_METRIC, moved, answer));
        leaveOutside(seen, answer);
    }

    /// Says why a tablet stays.
    ///
    /// @param plan null if there is none for its group
    private Leave leave(long tabletId, BalancedTable table, @Nullable MovePlan plan, int tablet) {
        Optional<StayReason> ofTable = table.stay(settings);
        if (plan == null) {
            return leave(tabletId, table, List.of(), metricGroups.problem(table).orElseThrow());
        }
        StayReason reason = ofTable.or(() -> plan.stay(tablet)).orElseThrow();
        return leave(tabletId, table, plan.figures(tablet), reason.text());
    }

    /// Adds the moves of a plan, except those in groups that are resharded first.
    private void add(
            MovePlan plan, Rule rule, Map<Long, BalancedTable> moved, PolicyAnswer answer) {
        for (CellMove move : plan.moves()) {
            long tabletId = move.tabletId();
            BalancedTable table = Objects.requireNonNull(moved.get(tabletId));
            if (!isDue(table, Due.Kind.MOVE)) {
                continue;
            }
            boolean isReshardFirst = due.isEmpty() && reshardedGroups.contains(table.groupName());
            if (!isReshardFirst && limits.takeMove(name, table.groupName())) {
                answer.change(
                        table.id(),
                        new Move(
                                tabletId,
                                move.fromCellId(),
                                move.toCellId(),
                                rule,
                                move.figures()));
            } else if (!resharded.contains(tabletId)) {
                StayReason reason = isReshardFirst ? StayReason.RESHARD_FIRST : StayReason.LIMIT;
                answer.leave(
                        table.id(), () -> leave(tabletId, table, move.figures(), reason.text()));
            }
        }
    }

    private void leaveOutside(Set<Long> seen, PolicyAnswer answer) {
        for (BalancedTable table : tables.values()) {
            for (TabletState tablet : table.state().tablets()) {
                if (!seen.contains(tablet.tabletId()) && isDue(table, Due.Kind.MOVE)) {
                    answer.leave(
                            table.id(),
                            () ->
                                    leave(
                                            tablet.tabletId(),
                                            table,
                                            List.of(),
                                            StayReason.OUTSIDE_BUNDLE.text()));
                }
            }
        }
    }

    private Leave leave(long tabletId, BalancedTable table, List<Figure> figures, String why) {
        Rule bySize = table.isInMemory() ? Rule.MOVE_BY_MEMORY : Rule.MOVE_BY_COUNT;
        Rule rule = table.isByMetric(settings) ? Rule.MOVE_BY_METRIC : bySize;
        return new Leave(tabletId, rule, figures, List.of(), why);
    }
}
