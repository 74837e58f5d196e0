package io.cleave.balance;

import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Move;
import io.cleave.schema.CellStage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Decides where the tablets of cells go that are being removed. This rule is above the policies:
/// it holds for the tables of all of them, whatever their settings and schedules say, because a
/// user waits for the end of the removal. Pure.
public final class CellRemoval {
    private final ClusterState state;

    /// The cells that are being removed, with the number of tablets that they have now.
    private final Map<Long, Integer> leaving = new HashMap<>();

    /// The number of tablets in each other cell after the moves.
    private final Map<Long, Integer> counts = new HashMap<>();

    private CellRemoval(ClusterState state) {
        this.state = state;
    }

    /// The moves of each table, by table id. A tablet that cannot go anywhere is left, and the
    /// answer says so.
    public static Map<Long, List<Decision>> decide(ClusterState state) {
        return new CellRemoval(state).decide();
    }

    private Map<Long, List<Decision>> decide() {
        Set<Long> ids = new HashSet<>();
        for (CellMembership cell : state.cells()) {
            if (cell.stage() == CellStage.DECOMMISSIONING) {
                ids.add(cell.cellId());
            }
        }
        if (ids.isEmpty()) {
            return Map.of();
        }
        for (TableState table : state.tables()) {
            for (TabletState tablet : table.tablets()) {
                long cellId = tablet.cellId();
                (ids.contains(cellId) ? leaving : counts).merge(cellId, 1, Integer::sum);
            }
        }
        Map<Long, List<Decision>> decisions = new LinkedHashMap<>();
        for (TableState table : state.tables()) {
            List<Decision> ofTable = new ArrayList<>();
            for (TabletState tablet : table.tablets()) {
                if (leaving.containsKey(tablet.cellId())) {
                    ofTable.add(decide(table, tablet));
                }
            }
            if (!ofTable.isEmpty()) {
                decisions.put(table.table().id(), ofTable);
            }
        }
        return decisions;
    }

    /// The tablet goes to the cell of its table's bundle that has the fewest tablets.
    private Decision decide(TableState table, TabletState tablet) {
        Optional<CellMembership> target =
                state.bundle(table.bundle()).stream()
                        .min(
                                Comparator.comparingInt(this::count)
                                        .thenComparingLong(CellMembership::cellId));
        if (target.isEmpty()) {
            return new Leave(
                    tablet.tabletId(),
                    Rule.MOVE_OUT,
                    List.of(),
                    List.of(),
                    ("its cell %d is being removed, but the bundle '%s' has no running cell; the"
                                    + " tablet stays until there is one")
                            .formatted(tablet.cellId(), table.bundle()));
        }
        long to = target.get().cellId();
        counts.merge(to, 1, Integer::sum);
        int left = leaving.getOrDefault(tablet.cellId(), 0);
        return new Move(
                tablet.tabletId(),
                tablet.cellId(),
                to,
                Rule.MOVE_OUT,
                List.of(Figure.count("tablets in the cell that is being removed", left)));
    }

    private int count(CellMembership cell) {
        return counts.getOrDefault(cell.cellId(), 0);
    }
}
