package io.cleave.balance.yt.move;

import io.cleave.base.Check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The cells of a bundle that are alive, the nodes they are on, and the tablets in them, as columns
/// of primitives. A cell, a node, a table and a tablet are named by their index.
public final class BundleLoad {
    private final List<Integer> nodeIds;
    private final List<NodeMemory> memories;
    private final long[] cellIds;
    private final int[] cellNodes;
    private final List<MovableTable> tables;
    private final long[] tabletIds;
    private final int[] tabletCells;
    private final int[] tabletTables;
    private final double[] metrics;
    private final long[] memoryBytes;
    private final boolean[] isActive;

    private BundleLoad(Builder builder) {
        nodeIds = List.copyOf(builder.nodeIds);
        memories = List.copyOf(builder.memories);
        cellIds = builder.cellIds.stream().mapToLong(Long::longValue).toArray();
        cellNodes = builder.cellNodes.stream().mapToInt(Integer::intValue).toArray();
        tables = List.copyOf(builder.tables);
        int count = builder.tabletCount;
        tabletIds = Arrays.copyOf(builder.tabletIds, count);
        tabletCells = Arrays.copyOf(builder.tabletCells, count);
        tabletTables = Arrays.copyOf(builder.tabletTables, count);
        metrics = Arrays.copyOf(builder.metrics, count);
        memoryBytes = Arrays.copyOf(builder.memoryBytes, count);
        isActive = Arrays.copyOf(builder.isActive, count);
    }

    public int nodeCount() {
        return nodeIds.size();
    }

    public int nodeId(int node) {
        return nodeIds.get(node);
    }

    NodeMemory memory(int node) {
        return memories.get(node);
    }

    public int cellCount() {
        return cellIds.length;
    }

    public long cellId(int cell) {
        return cellIds[cell];
    }

    public int node(int cell) {
        return cellNodes[cell];
    }

    public int tableCount() {
        return tables.size();
    }

    public MovableTable table(int table) {
        return tables.get(table);
    }

    public int tabletCount() {
        return tabletIds.length;
    }

    public long tabletId(int tablet) {
        return tabletIds[tablet];
    }

    /// The cell that the tablet is in before any move.
    public int cellOf(int tablet) {
        return tabletCells[tablet];
    }

    public int tableOf(int tablet) {
        return tabletTables[tablet];
    }

    public double metric(int tablet) {
        return metrics[tablet];
    }

    public long memoryBytes(int tablet) {
        return memoryBytes[tablet];
    }

    /// Whether the tablet is mounted or frozen.
    boolean isActive(int tablet) {
        return isActive[tablet];
    }

    boolean isInMemory(int tablet) {
        return tables.get(tabletTables[tablet]).isInMemory();
    }

    /// Collects nodes, cells, tables and tablets. Each method returns the index of what it adds.
    public static final class Builder {
        private static final int INITIAL_TABLETS = 64;

        private final List<Integer> nodeIds = new ArrayList<>();
        private final List<NodeMemory> memories = new ArrayList<>();
        private final List<Long> cellIds = new ArrayList<>();
        private final List<Integer> cellNodes = new ArrayList<>();
        private final List<MovableTable> tables = new ArrayList<>();
        private long[] tabletIds = new long[INITIAL_TABLETS];
        private int[] tabletCells = new int[INITIAL_TABLETS];
        private int[] tabletTables = new int[INITIAL_TABLETS];
        private double[] metrics = new double[INITIAL_TABLETS];
        private long[] memoryBytes = new long[INITIAL_TABLETS];
        private boolean[] isActive = new boolean[INITIAL_TABLETS];
        private int tabletCount;

        public int addNode(int nodeId, NodeMemory memory) {
            nodeIds.add(nodeId);
            memories.add(memory);
            return nodeIds.size() - 1;
        }

        public int addCell(long cellId, int node) {
            Check.that(node >= 0 && node < nodeIds.size(), "cell %d is on no node", cellId);
            cellIds.add(cellId);
            cellNodes.add(node);
            return cellIds.size() - 1;
        }

        public int addTable(MovableTable table) {
            tables.add(table);
            return tables.size() - 1;
        }

        /// Adds a tablet.
        ///
        /// @param isTabletActive whether the tablet is mounted or frozen
        public int addTablet(
                long tabletId,
                int cell,
                int table,
                double metric,
                long memoryBytesOfTablet,
                boolean isTabletActive) {
            Check.that(cell >= 0 && cell < cellIds.size(), "tablet %d is in no cell", tabletId);
            Check.that(table >= 0 && table < tables.size(), "tablet %d has no table", tabletId);
            if (tabletCount == tabletIds.length) {
                grow(2 * tabletCount);
            }
            tabletIds[tabletCount] = tabletId;
            tabletCells[tabletCount] = cell;
            tabletTables[tabletCount] = table;
            metrics[tabletCount] = metric;
            memoryBytes[tabletCount] = memoryBytesOfTablet;
            isActive[tabletCount] = isTabletActive;
            return tabletCount++;
        }

        private void grow(int capacity) {
            tabletIds = Arrays.copyOf(tabletIds, capacity);
            tabletCells = Arrays.copyOf(tabletCells, capacity);
            tabletTables = Arrays.copyOf(tabletTables, capacity);
            metrics = Arrays.copyOf(metrics, capacity);
            memoryBytes = Arrays.copyOf(memoryBytes, capacity);
            isActive = Arrays.copyOf(isActive, capacity);
        }

        public BundleLoad build() {
            return new BundleLoad(this);
        }
    }
}
