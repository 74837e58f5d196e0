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

    private final Optional<Set<Due>> due;
    private final RoundLimits limits;

    private BalancedBundle(
            String name,
            BundleSettings settings,
            int cellCount,
            Map<Long, BalancedTable> tables,
            Optional<Set<Due>> due,
            RoundLimits limits) {
        this.name = name;
        this.settings = settings;
        this.cellCount = cellCount;
        this.tables = tables;
        this.due = due;
        this.limits = limits;
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
                                bundle.name(), settings, cellCount, readable, due, limits));
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

    private boolean isDue(BalancedTable table, Due.Kind kind) {
        return due.isEmpty() || due.get().contains(new Due(name, table.groupName(), kind));
    }

    void reshard(ReshardOptions options, KeyFacts facts, PolicyAnswer answer) {
        var reshards = new TableReshards(name, settings, cellCount, options, facts, limits, answer);
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
        var reshards = new TableReshards(name, settings, cellCount, options, facts, limits, answer);
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
        return own == null ? new MovableTable(table.table().id(), false, "", false) : own.movable();
    }

    /// @param load the tablets in the cells of the bundle
    void move(BundleLoad load, PolicyAnswer answer) {
        MovePlan byMemory = InMemoryMoves.round(load, settings);
        // Equal cells are taken in an order that depends on the bundle only, so that a plan shows
        // what a round would do.
        MovePlan byCount = OrdinaryMoves.round(load, settings, name.hashCode());
        Map<Long, BalancedTable> moved = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            BalancedTable table = tables.get(load.table(load.tableOf(tablet)).tableId());
            if (table == null) {
                continue;
            }
            long tabletId = load.tabletId(tablet);
            seen.add(tabletId);
            MovePlan plan = table.movable().isInMemory() ? byMemory : byCount;
            @Nullable StayReason stay = plan.stay(tablet).orElse(null);
            if (stay == null) {
                moved.put(tabletId, table);
            } else if (!resharded.contains(tabletId) && isDue(table, Due.Kind.MOVE)) {
                int index = tablet;
                answer.leave(table.id(), () -> leave(tabletId, table, plan.figures(index), stay));
            }
        }
        add(byMemory, Rule.MOVE_BY_MEMORY, moved, answer);
        add(byCount, Rule.MOVE_BY_COUNT, moved, answer);
        leaveOutside(seen, answer);
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
                answer.leave(table.id(), () -> leave(tabletId, table, move.figures(), reason));
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
                                            StayReason.OUTSIDE_BUNDLE));
                }
            }
        }
    }

    private static Leave leave(
            long tabletId, BalancedTable table, List<Figure> figures, StayReason reason) {
        return new Leave(
                tabletId,
                table.movable().isInMemory() ? Rule.MOVE_BY_MEMORY : Rule.MOVE_BY_COUNT,
                figures,
                List.of(),
                reason.text());
    }
}
