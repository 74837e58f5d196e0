package io.cleave.balance.yt.move;

import io.cleave.balance.Figure;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// Spreads the tablets of each ordinary table evenly over the cells of the bundle, by their count.
///
/// A table with `T` tablets has `T / C` tablets in each of `C` cells, and the rest of the division
/// one more in some of them. That one is *slack*. If a cell has no tablet of any table then, the
/// slack of all tables is spread evenly, too, but never two of a table in a cell.
///
/// Cells of equal count are taken in a random order, so that the rests of many tables are not all
/// in the same cells. The order comes from a seed: the same seed gives the same plan.
public final class OrdinaryMoves {
    private final BundleLoad load;
    private final MovePlan.Stays stays;
    private final Random random;

    /// The cell of each tablet after the moves so far.
    private final int[] cells;

    /// How many tablets each cell has after the moves so far, in-memory ones included.
    private final int[] cellCounts;

    /// For each table, its tablets; empty for tables that others balance.
    private final List<List<Integer>> tabletsOfTable = new ArrayList<>();

    /// By tablet, for those that were moved.
    private final Map<Integer, Cause> causes = new HashMap<>();

    private record Cause(CellMove.Reason reason, List<Figure> figures) {}

    private OrdinaryMoves(BundleLoad load, MovePlan.Stays stays, long seed) {
        this.load = load;
        this.stays = stays;
        random = new Random(seed);
        cells = new int[load.tabletCount()];
        cellCounts = new int[load.cellCount()];
        for (int table = 0; table < load.tableCount(); table++) {
            tabletsOfTable.add(new ArrayList<>());
        }
    }

    /// The moves of a round.
    ///
    /// @param seed for the order of cells that have equal counts
    public static MovePlan round(BundleLoad load, BundleSettings bundle, long seed) {
        var stays = new MovePlan.Stays(load.tabletCount(), StayReason.IN_MEMORY);
        return new OrdinaryMoves(load, stays, seed).plan(bundle);
    }

    private MovePlan plan(BundleSettings bundle) {
        boolean isGroupOn = group(bundle).enableMove();
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            cells[tablet] = load.cellOf(tablet);
            cellCounts[cells[tablet]]++;
            MovableTable table = load.table(load.tableOf(tablet));
            if (table.isInMemory()) {
                continue;
            }
            if (table.isByMetric() || !table.group().equals(BundleSettings.LEGACY_GROUP)) {
                stays.set(tablet, StayReason.OTHER_GROUP);
            } else if (!bundle.enableCellBalancer()) {
                stays.set(tablet, StayReason.SWITCHED_OFF_AT_BUNDLE);
            } else if (!isGroupOn) {
                stays.set(tablet, StayReason.SWITCHED_OFF_AT_GROUP);
            } else if (!table.enableAutoTabletMove()) {
                stays.set(tablet, StayReason.SWITCHED_OFF_AT_TABLE);
            } else {
                boolean isActive = load.isActive(tablet);
                stays.set(tablet, isActive ? StayReason.IN_ITS_SHARE : StayReason.NOT_MOUNTED);
                tabletsOfTable.get(load.tableOf(tablet)).add(tablet);
            }
        }
        if (load.cellCount() > 1) {
            tabletsOfTable.forEach(this::spreadTable);
            if (Arrays.stream(cellCounts).anyMatch(count -> count == 0)) {
                new Slack().spread();
            }
        }
        return new MovePlan(load, moves(), stays, this::figures);
    }

    private static GroupSettings group(BundleSettings bundle) {
        return bundle.groups().getOrDefault(BundleSettings.LEGACY_GROUP, GroupSettings.DEFAULT);
    }

    /// The number of the `count` tablets that the cell at `position` gets.
    private int share(int count, int position) {
        return count / load.cellCount() + (position < count % load.cellCount() ? 1 : 0);
    }

    private void spreadTable(List<Integer> tablets) {
        if (tablets.isEmpty()) {
            return;
        }
        Map<Integer, List<Integer>> byCell = new HashMap<>();
        for (int tablet : tablets) {
            byCell.computeIfAbsent(cells[tablet], _ -> new ArrayList<>()).add(tablet);
        }
        List<Integer> order = order(byCell, tablets.size());
        int giver = 0;
        int taker = order.size() - 1;
        while (giver < taker) {
            List<Integer> given = byCell.get(order.get(giver));
            int taken = count(byCell, order.get(taker));
            if (taken >= share(tablets.size(), taker)) {
                taker--;
            } else if (given == null || given.size() <= share(tablets.size(), giver)) {
                giver++;
            } else {
                int tablet = takeActive(given);
                if (tablet < 0) {
                    giver++;
                } else {
                    int target = order.get(taker);
                    byCell.computeIfAbsent(target, _ -> new ArrayList<>()).add(tablet);
                    var has = Figure.count("tablets of the table in the cell", given.size() + 1);
                    var share = Figure.count("share", share(tablets.size(), giver));
                    move(tablet, target, CellMove.Reason.TABLE_SPREAD, List.of(has, share));
                }
            }
        }
    }

    /// The cells that have tablets of a table, those with most first, and then as many others as
    /// the table needs, those with fewest tablets first.
    private List<Integer> order(Map<Integer, List<Integer>> byCell, int tabletCount) {
        List<Integer> order = new ArrayList<>(byCell.keySet());
        Collections.sort(order);
        Collections.shuffle(order, random);
        order.sort(Comparator.comparingInt(cell -> -count(byCell, cell)));
        int wanted = Math.min(tabletCount, load.cellCount());
        if (order.size() < wanted) {
            List<Integer> others = new ArrayList<>();
            for (int cell = 0; cell < load.cellCount(); cell++) {
                if (!byCell.containsKey(cell)) {
                    others.add(cell);
                }
            }
            Collections.shuffle(others, random);
            others.sort(Comparator.comparingInt(cell -> cellCounts[cell]));
            order.addAll(others.subList(0, wanted - order.size()));
        }
        return order;
    }

    private static int count(Map<Integer, List<Integer>> byCell, int cell) {
        return byCell.getOrDefault(cell, List.of()).size();
    }

    /// Takes the last tablet that can be moved out of the list; -1 if there is none.
    private int takeActive(List<Integer> tablets) {
        for (int at = tablets.size() - 1; at >= 0; at--) {
            if (load.isActive(tablets.get(at))) {
                int tablet = tablets.get(at);
                tablets.subList(at, at + 1).clear();
                return tablet;
            }
        }
        return -1;
    }

    private void move(int tablet, int target, CellMove.Reason reason, List<Figure> figures) {
        cellCounts[cells[tablet]]--;
        cellCounts[target]++;
        cells[tablet] = target;
        causes.put(tablet, new Cause(reason, figures));
    }

    /// Spreads the tablets that cells have beyond the whole shares of their tables.
    private final class Slack {
        private final List<List<Integer>> byCell = new ArrayList<>();

        /// Pairs of a table and a cell that has slack of it.
        private final Set<Long> pairs = new HashSet<>();

        private int count;

        Slack() {
            for (int cell = 0; cell < load.cellCount(); cell++) {
                byCell.add(new ArrayList<>());
            }
            for (List<Integer> tablets : tabletsOfTable) {
                Map<Integer, Integer> counts = new HashMap<>();
                int whole = tablets.size() / load.cellCount();
                for (int tablet : tablets) {
                    int nth = counts.merge(cells[tablet], 1, Integer::sum);
                    if (nth == whole + 1) {
                        byCell.get(cells[tablet]).add(tablet);
                        pairs.add(pair(tablet, cells[tablet]));
                        count++;
                    }
                }
            }
        }

        private long pair(int tablet, int cell) {
            return (long) load.tableOf(tablet) * load.cellCount() + cell;
        }

        void spread() {
            List<Integer> order = new ArrayList<>();
            for (int cell = 0; cell < load.cellCount(); cell++) {
                order.add(cell);
            }
            Collections.shuffle(order, random);
            order.sort(Comparator.comparingInt(cell -> -byCell.get(cell).size()));
            for (int giver = 0; giver < order.size(); giver++) {
                int cell = order.get(giver);
                int surplus = byCell.get(cell).size() - share(count, giver);
                for (int tablet : List.copyOf(byCell.get(cell))) {
                    if (surplus > 0 && load.isActive(tablet) && give(tablet, cell, order, giver)) {
                        surplus--;
                    }
                }
            }
        }

        /// Moves the tablet to the least-filled cell that has no surplus tablet of this table.
        /// False if there is none.
        private boolean give(int tablet, int cell, List<Integer> order, int giver) {
            for (int taker = order.size() - 1; taker > giver; taker--) {
                int target = order.get(taker);
                boolean hasRoom = byCell.get(target).size() < share(count, taker);
                if (hasRoom && pairs.add(pair(tablet, target))) {
                    pairs.remove(pair(tablet, cell));
                    var has = Figure.count("slack tablets in the cell", byCell.get(cell).size());
                    var share = Figure.count("share", share(count, giver));
                    byCell.get(cell).removeIf(each -> each == tablet);
                    byCell.get(target).add(tablet);
                    move(tablet, target, CellMove.Reason.EMPTY_CELL, List.of(has, share));
                    return true;
                }
            }
            return false;
        }
    }

    /// A tablet that was moved twice goes to its last cell at once.
    private List<CellMove> moves() {
        List<CellMove> moves = new ArrayList<>();
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            Cause cause = causes.get(tablet);
            if (cause != null && cells[tablet] != load.cellOf(tablet)) {
                stays.setMoved(tablet);
                moves.add(
                        new CellMove(
                                load.tabletId(tablet),
                                load.cellId(load.cellOf(tablet)),
                                load.cellId(cells[tablet]),
                                cause.reason(),
                                cause.figures()));
            }
        }
        return moves;
    }

    private List<Figure> figures(int tablet) {
        List<Integer> tablets = tabletsOfTable.get(load.tableOf(tablet));
        if (tablets.isEmpty()) {
            return List.of();
        }
        long together = tablets.stream().filter(each -> cells[each] == cells[tablet]).count();
        return List.of(
                Figure.count("tablets of the table in the cell", (double) together),
                Figure.count("tablets", tablets.size()),
                Figure.count("cells", load.cellCount()));
    }
}
