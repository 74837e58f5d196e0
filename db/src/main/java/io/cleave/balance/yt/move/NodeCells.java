package io.cleave.balance.yt.move;

import java.util.Arrays;

/// The cells of each node.
final class NodeCells {
    private final int[][] cells;

    NodeCells(BundleLoad load) {
        int[] counts = new int[load.nodeCount()];
        for (int cell = 0; cell < load.cellCount(); cell++) {
            counts[load.node(cell)]++;
        }
        cells = new int[load.nodeCount()][];
        Arrays.setAll(cells, node -> new int[counts[node]]);
        for (int cell = load.cellCount() - 1; cell >= 0; cell--) {
            int node = load.node(cell);
            cells[node][--counts[node]] = cell;
        }
    }

    int[] of(int node) {
        return cells[node];
    }
}
