package io.cleave.balance.yt.move;

import io.cleave.balance.Figure;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Spreads what in-memory tablets use over the cells of a bundle.
///
/// Nothing is moved unless the fullest cell has much more than the emptiest one (the hard
/// threshold). Then cells above the mean give tablets to the emptiest cell, the fullest cells
/// first, as long as a cell has clearly more than that one (the soft threshold).
public final class InMemoryMoves {
    private final BundleLoad load;
    private final BundleSettings bundle;
    private final MovePlan.Stays stays;
    private final long[] cellBytes;
    private final long mean;

    /// Cells below the mean, by what they have; the others come last.
    private final CellOrder receivers;

    private final List<CellMove> moves = new ArrayList<>();

    private InMemoryMoves(BundleLoad load, BundleSettings bundle, MovePlan.Stays stays) {
        this.load = load;
        this.bundle = bundle;
        this.stays = stays;
        cellBytes = new long[load.cellCount()];
        long total = 0;
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            cellBytes[load.cellOf(tablet)] += load.memoryBytes(tablet);
            total += load.memoryBytes(tablet);
        }
        mean = load.cellCount() == 0 ? 0 : total / load.cellCount();
        receivers =
                new CellOrder(
                        Arrays.stream(cellBytes)
                                .mapToDouble(bytes -> bytes < mean ? bytes : Double.MAX_VALUE)
                                .toArray());
    }

    /// The moves of a round, which looks at the switches of bundle and tables.
    public static MovePlan round(BundleLoad load, BundleSettings bundle) {
        var stays = new MovePlan.Stays(load.tabletCount(), StayReason.NOT_IN_MEMORY);
        boolean isGroupOn = group(bundle).enableMove();
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            MovableTable table = load.table(load.tableOf(tablet));
            if (!table.isInMemory()) {
                continue;
            }
            if (table.isByMetric()
                    || !table.group().equals(BundleSettings.LEGACY_IN_MEMORY_GROUP)) {
                stays.set(tablet, StayReason.OTHER_GROUP);
            } else if (!bundle.enableInMemoryCellBalancer()) {
                stays.set(tablet, StayReason.IN_MEMORY_OFF_AT_BUNDLE);
            } else if (!isGroupOn) {
                stays.set(tablet, StayReason.SWITCHED_OFF_AT_GROUP);
            } else if (!table.enableAutoTabletMove()) {
                stays.set(tablet, StayReason.SWITCHED_OFF_AT_TABLE);
            } else {
                setCandidate(load, tablet, stays);
            }
        }
        return new InMemoryMoves(load, bundle, stays).plan();
    }

    private static GroupSettings group(BundleSettings bundle) {
        return bundle.groups()
                .getOrDefault(BundleSettings.LEGACY_IN_MEMORY_GROUP, GroupSettings.DEFAULT);
    }

    /// The moves that a user asks for: the switches do not count.
    ///
    /// @param tableIds the tables whose tablets may be moved; empty for all of the bundle
    public static MovePlan command(BundleLoad load, BundleSettings bundle, Set<Long> tableIds) {
        var stays = new MovePlan.Stays(load.tabletCount(), StayReason.NOT_IN_MEMORY);
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            MovableTable table = load.table(load.tableOf(tablet));
            if (!tableIds.isEmpty() && !tableIds.contains(table.tableId())) {
                stays.set(tablet, StayReason.NOT_ASKED_FOR);
            } else if (table.isInMemory()) {
                setCandidate(load, tablet, stays);
            }
        }
        return new InMemoryMoves(load, bundle, stays).plan();
    }

    /// A candidate has the reason BALANCED until it is looked at.
    private static void setCandidate(BundleLoad load, int tablet, MovePlan.Stays stays) {
        if (!load.isActive(tablet)) {
            stays.set(tablet, StayReason.NOT_MOUNTED);
        } else if (load.memoryBytes(tablet) == 0) {
            stays.set(tablet, StayReason.NO_MEMORY_USED);
        } else {
            stays.set(tablet, StayReason.BALANCED);
        }
    }

    private MovePlan plan() {
        if (isUneven()) {
            List<List<Integer>> candidates = candidates();
            IntStream.range(0, load.cellCount())
                    .boxed()
                    .sorted(
                            Comparator.comparingLong((Integer cell) -> -cellBytes[cell])
                                    .thenComparingLong(load::cellId))
                    .toList()
                    .forEach(cell -> relieve(cell, candidates.get(cell)));
        }
        return new MovePlan(load, moves, stays, this::figures);
    }

    private boolean isUneven() {
        long least = Arrays.stream(cellBytes).min().orElse(0);
        long most = Arrays.stream(cellBytes).max().orElse(0);
        return exceeds(most, least, bundle.hardInMemoryCellBalanceThreshold());
    }

    private static boolean exceeds(long bytes, long than, double threshold) {
        return bytes > 0 && (bytes - than) / (double) bytes > threshold;
    }

    /// For each cell its tablets that may be moved, by id.
    private List<List<Integer>> candidates() {
        List<List<Integer>> candidates = new ArrayList<>();
        for (int cell = 0; cell < load.cellCount(); cell++) {
            candidates.add(new ArrayList<>());
        }
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            if (stays.is(tablet, StayReason.BALANCED)) {
                candidates.get(load.cellOf(tablet)).add(tablet);
            }
        }
        candidates.forEach(each -> each.sort(Comparator.comparingLong(load::tabletId)));
        return candidates;
    }

    /// Lets a cell give tablets away until it has no more than the mean.
    private void relieve(int cell, List<Integer> candidates) {
        boolean gives = true;
        for (int tablet : candidates) {
            int receiver = receivers.cell(0);
            gives =
                    gives
                            && receivers.key(receiver) != Double.MAX_VALUE
                            && cellBytes[cell] > mean
                            && exceeds(
                                    cellBytes[cell],
                                    cellBytes[receiver],
                                    bundle.softInMemoryCellBalanceThreshold());
            long bytes = load.memoryBytes(tablet);
            if (!gives) {
                stays.set(tablet, StayReason.CELL_AT_MEAN);
            } else if (bytes >= cellBytes[cell] - cellBytes[receiver]) {
                stays.set(tablet, StayReason.TOO_LARGE);
            } else {
                move(tablet, cell, receiver);
            }
        }
    }

    private void move(int tablet, int cell, int receiver) {
        long bytes = load.memoryBytes(tablet);
        moves.add(
                new CellMove(
                        load.tabletId(tablet),
                        load.cellId(cell),
                        load.cellId(receiver),
                        CellMove.Reason.IN_MEMORY,
                        List.of(
                                Figure.bytes("memory", bytes),
                                Figure.bytes("memory of the cell", cellBytes[cell]),
                                Figure.bytes("of the other cell", cellBytes[receiver]),
                                Figure.bytes("mean of the cells", mean))));
        stays.setMoved(tablet);
        cellBytes[cell] -= bytes;
        cellBytes[receiver] += bytes;
        boolean isFull = cellBytes[receiver] >= mean;
        receivers.set(receiver, isFull ? Double.MAX_VALUE : cellBytes[receiver]);
    }

    private List<Figure> figures(int tablet) {
        return List.of(
                Figure.bytes("memory", load.memoryBytes(tablet)),
                Figure.bytes("memory of its cell", cellBytes[load.cellOf(tablet)]),
                Figure.bytes("mean of the cells", mean));
    }
}
