package io.cleave.bench.balance;

import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.balance.yt.move.CellMove;
import io.cleave.balance.yt.move.MovableTable;
import io.cleave.balance.yt.move.MovePlan;
import io.cleave.balance.yt.move.NodeMemory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// A bundle whose load is spread unevenly: hot and cold tables, hot and cold tablets of each, and
/// cells of which some have many tablets and others few.
final class SkewedBundle {
    static final String GROUP = "default";
    static final int TABLES = 1000;
    static final int CELLS = 1000;
    static final int NODES = 200;

    /// How much fuller than others the fullest cells are.
    private static final double CELL_SKEW = 4;

    private final BundleLoad load;

    private SkewedBundle(BundleLoad load) {
        this.load = load;
    }

    static SkewedBundle draw(int tabletCount, long seed) {
        return draw(tabletCount, TABLES, CELLS, NODES, seed);
    }

    static SkewedBundle draw(
            int tabletCount, int tableCount, int cellCount, int nodeCount, long seed) {
        var random = new Random(seed);
        var builder = new BundleLoad.Builder();
        for (int node = 0; node < nodeCount; node++) {
            builder.addNode(node, NodeMemory.UNLIMITED);
        }
        for (int cell = 0; cell < cellCount; cell++) {
            builder.addCell(cell, cell % nodeCount);
        }
        double[] heat = new double[tableCount];
        for (int table = 0; table < tableCount; table++) {
            builder.addTable(new MovableTable(table, false, GROUP, true, true));
            heat[table] = Math.exp(random.nextGaussian());
        }
        double[] fullness = new double[cellCount];
        double all = 0;
        for (int cell = 0; cell < cellCount; cell++) {
            all += 1 + (CELL_SKEW - 1) * Math.pow(random.nextDouble(), 2);
            fullness[cell] = all;
        }
        for (int tablet = 0; tablet < tabletCount; tablet++) {
            int found = Arrays.binarySearch(fullness, random.nextDouble() * all);
            int cell = Math.min(cellCount - 1, found < 0 ? -found - 1 : found);
            int table = tablet % tableCount;
            double metric = heat[table] * Math.exp(random.nextGaussian() / 2);
            builder.addTablet(tablet, cell, table, metric, 0, true);
        }
        return new SkewedBundle(builder.build());
    }

    /// A bundle with the same tablets after the moves of a plan.
    SkewedBundle after(MovePlan plan) {
        Map<Long, Long> targets = new HashMap<>();
        for (CellMove move : plan.moves()) {
            targets.put(move.tabletId(), move.toCellId());
        }
        var builder = new BundleLoad.Builder();
        for (int node = 0; node < load.nodeCount(); node++) {
            builder.addNode(node, NodeMemory.UNLIMITED);
        }
        for (int cell = 0; cell < load.cellCount(); cell++) {
            builder.addCell(load.cellId(cell), load.node(cell));
        }
        for (int table = 0; table < load.tableCount(); table++) {
            builder.addTable(load.table(table));
        }
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            // The id of a cell is its index.
            long cell = targets.getOrDefault(load.tabletId(tablet), (long) load.cellOf(tablet));
            builder.addTablet(
                    load.tabletId(tablet),
                    (int) cell,
                    load.tableOf(tablet),
                    load.metric(tablet),
                    0,
                    true);
        }
        return new SkewedBundle(builder.build());
    }

    BundleLoad load() {
        return load;
    }

    private double[] cellLoads() {
        double[] loads = new double[load.cellCount()];
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            loads[load.cellOf(tablet)] += load.metric(tablet);
        }
        return loads;
    }

    /// The load of the most loaded cell, as a multiple of the mean.
    double imbalance() {
        double[] loads = cellLoads();
        return Arrays.stream(loads).max().orElseThrow()
                / Arrays.stream(loads).average().orElseThrow();
    }

    /// No plan needs fewer moves to bring every cell down to the mean: of each cell that has more,
    /// the fewest largest tablets that cover what it has above the mean.
    int leastMoves() {
        double[] loads = cellLoads();
        double mean = Arrays.stream(loads).average().orElseThrow();
        double[][] metrics = new double[load.cellCount()][];
        int[] counts = new int[load.cellCount()];
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            counts[load.cellOf(tablet)]++;
        }
        Arrays.setAll(metrics, cell -> new double[counts[cell]]);
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            int cell = load.cellOf(tablet);
            metrics[cell][--counts[cell]] = load.metric(tablet);
        }
        int moves = 0;
        for (int cell = 0; cell < loads.length; cell++) {
            Arrays.sort(metrics[cell]);
            double above = loads[cell] - mean;
            for (int at = metrics[cell].length - 1; above > 0; at--) {
                above -= metrics[cell][at];
                moves++;
            }
        }
        return moves;
    }
}
