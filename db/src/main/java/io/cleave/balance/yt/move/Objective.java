package io.cleave.balance.yt.move;

/// What moves by a metric make smaller: the sum of the squares of the loads of cells and of nodes,
/// each times its weight. With table factors the same sums for each table are added.
///
/// The weights make sums comparable whatever the unit of the metric is: the mean load of a node is
/// 1. A cell counts less than a node, by the number of cells on a node.
final class Objective {
    private final BundleLoad load;
    private final double[] cellLoads;
    private final double[] nodeLoads;
    private final double cellWeight;
    private final double nodeWeight;
    private final boolean hasTables;
    private final double[] tableCellWeights;
    private final double[] tableNodeWeights;
    private final TableLoads byTableAndCell;
    private final TableLoads byTableAndNode;
    private final double total;

    /// @param tablets those that take part
    Objective(BundleLoad load, int[] tablets, MetricMoveOptions options) {
        this.load = load;
        cellLoads = new double[load.cellCount()];
        nodeLoads = new double[load.nodeCount()];
        hasTables = options.hasTableFactors();
        double[] tableLoads = new double[load.tableCount()];
        byTableAndCell = new TableLoads(load.cellCount());
        byTableAndNode = new TableLoads(load.nodeCount());
        double sum = 0;
        for (int tablet : tablets) {
            double metric = load.metric(tablet);
            int cell = load.cellOf(tablet);
            sum += metric;
            tableLoads[load.tableOf(tablet)] += metric;
            cellLoads[cell] += metric;
            nodeLoads[load.node(cell)] += metric;
            if (hasTables) {
                byTableAndCell.add(load.tableOf(tablet), cell, metric);
                byTableAndNode.add(load.tableOf(tablet), load.node(cell), metric);
            }
        }
        total = sum;
        double unit = load.nodeCount() / sum;
        cellWeight = square(unit * options.cellFactor());
        nodeWeight = square(unit * options.nodeFactor());
        int tables = 0;
        for (double tableLoad : tableLoads) {
            tables += tableLoad > 0 ? 1 : 0;
        }
        tableCellWeights = new double[load.tableCount()];
        tableNodeWeights = new double[load.tableCount()];
        for (int table = 0; table < tableLoads.length; table++) {
            if (tableLoads[table] > 0) {
                double tableUnit = load.nodeCount() / tableLoads[table];
                tableCellWeights[table] = square(tableUnit * options.tableCellFactor()) / tables;
                tableNodeWeights[table] = square(tableUnit * options.tableNodeFactor()) / tables;
            }
        }
    }

    private static double square(double number) {
        return number * number;
    }

    boolean hasTables() {
        return hasTables;
    }

    double cellLoad(int cell) {
        return cellLoads[cell];
    }

    double nodeLoad(int node) {
        return nodeLoads[node];
    }

    double meanOfCells() {
        return total / cellLoads.length;
    }

    double meanOfNodes() {
        return total / nodeLoads.length;
    }

    /// What the load of a cell and its node count, as the source or the target of a move to another
    /// node. The best target is the cell with the least of it.
    double weighed(int cell) {
        return cellWeight * cellLoads[cell] + nodeWeight * nodeLoads[load.node(cell)];
    }

    /// The gain of a move of load `m` is `2m(slope − m·curve)`. `slope` is how much more the source
    /// weighs than the target. `curve` is the sum of the weights that count for the move: that of
    /// cells, and that of nodes if the node changes. Returns `curve`.
    double curve(boolean isSameNode) {
        return isSameNode ? cellWeight : cellWeight + nodeWeight;
    }

    /// The slope without the per-table terms.
    double slope(int fromCell, int toCell) {
        return load.node(fromCell) == load.node(toCell)
                ? cellWeight * (cellLoads[fromCell] - cellLoads[toCell])
                : weighed(fromCell) - weighed(toCell);
    }

    static double gain(double metric, double slope, double curve) {
        return 2 * metric * (slope - metric * curve);
    }

    /// What leaving its cell gains by the terms of its table, for a move to another node.
    double tableGain(int tablet, int fromCell) {
        int table = load.tableOf(tablet);
        double metric = load.metric(tablet);
        double inCell = byTableAndCell.get(table, fromCell) - metric;
        double inNode = byTableAndNode.get(table, load.node(fromCell)) - metric;
        return 2 * metric * (tableCellWeights[table] * inCell + tableNodeWeights[table] * inNode);
    }

    /// The whole gain of a move, with the terms of the table.
    double gain(int tablet, int fromCell, int toCell) {
        double metric = load.metric(tablet);
        boolean isSameNode = load.node(fromCell) == load.node(toCell);
        double gain = gain(metric, slope(fromCell, toCell), curve(isSameNode));
        if (!hasTables) {
            return gain;
        }
        int table = load.tableOf(tablet);
        double inCells =
                byTableAndCell.get(table, fromCell) - metric - byTableAndCell.get(table, toCell);
        gain += 2 * metric * tableCellWeights[table] * inCells;
        if (!isSameNode) {
            double inNodes =
                    byTableAndNode.get(table, load.node(fromCell))
                            - metric
                            - byTableAndNode.get(table, load.node(toCell));
            gain += 2 * metric * tableNodeWeights[table] * inNodes;
        }
        return gain;
    }

    void move(int tablet, int fromCell, int toCell) {
        double metric = load.metric(tablet);
        int fromNode = load.node(fromCell);
        int toNode = load.node(toCell);
        cellLoads[fromCell] -= metric;
        cellLoads[toCell] += metric;
        nodeLoads[fromNode] -= metric;
        nodeLoads[toNode] += metric;
        if (hasTables) {
            int table = load.tableOf(tablet);
            byTableAndCell.add(table, fromCell, -metric);
            byTableAndCell.add(table, toCell, metric);
            byTableAndNode.add(table, fromNode, -metric);
            byTableAndNode.add(table, toNode, metric);
        }
    }

    /// The objective, computed from its definition without the per-table terms.
    double value() {
        double value = 0;
        for (double cellLoad : cellLoads) {
            value += cellWeight * square(cellLoad);
        }
        for (double nodeLoad : nodeLoads) {
            value += nodeWeight * square(nodeLoad);
        }
        return value;
    }

    /// Whether a node has at least `nodeShare` more than another, or a cell `cellShare` more.
    boolean deviates(double nodeShare, double cellShare) {
        return deviates(nodeLoads, nodeShare) || deviates(cellLoads, cellShare);
    }

    /// Whether no cell and no node has more than this share above the mean.
    boolean isSettled(double share) {
        return isSettled(cellLoads, meanOfCells() * (1 + share))
                && isSettled(nodeLoads, meanOfNodes() * (1 + share));
    }

    private static boolean isSettled(double[] loads, double most) {
        for (double each : loads) {
            if (each > most) {
                return false;
            }
        }
        return true;
    }

    private static boolean deviates(double[] loads, double share) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (double each : loads) {
            least = Math.min(least, each);
            most = Math.max(most, each);
        }
        return most >= least * (1 + share);
    }
}
