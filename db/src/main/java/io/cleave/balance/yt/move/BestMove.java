package io.cleave.balance.yt.move;

/// Finds the best move out of a cell, without a look at all pairs of tablets and cells.
///
/// If the objective has no per-table terms, the best target is the same for all tablets of a cell:
/// the cell of another node that weighs least, or the least loaded cell of the same node. For a
/// target the best tablet is the one whose metric is nearest to half of the difference; it is found
/// in the sorted tablets of the cell. Only if tables count, or if the target has no memory for the
/// tablet, tablets are tried one by one, the largest first, and targets by weight until none can be
/// better.
final class BestMove {
    private final BundleLoad load;
    private final Objective objective;
    private final SortedTablets sorted;
    private final CellOrder byWeight;
    private final MemoryGuard memory;
    private final NodeCells nodeCells;

    /// Tablets for which a better cell had no memory.
    private final boolean[] isRefused;

    /// What was found: no tablet if the gain is 0.
    private double gain;

    private int tablet;
    private int target;

    BestMove(
            BundleLoad load,
            Objective objective,
            SortedTablets sorted,
            CellOrder byWeight,
            MemoryGuard memory,
            NodeCells nodeCells) {
        this.load = load;
        this.objective = objective;
        this.sorted = sorted;
        this.byWeight = byWeight;
        this.memory = memory;
        this.nodeCells = nodeCells;
        isRefused = new boolean[load.tabletCount()];
    }

    double gain() {
        return gain;
    }

    int tablet() {
        return tablet;
    }

    int target() {
        return target;
    }

    boolean isRefused(int ofTablet) {
        return isRefused[ofTablet];
    }

    void find(int cell) {
        gain = 0;
        if (sorted.from(cell) == sorted.to(cell)) {
            return;
        }
        if (objective.hasTables()) {
            tryAll(cell);
            return;
        }
        boolean isAllowed = tryTarget(cell, leastBeside(load.node(cell)));
        isAllowed &= tryTarget(cell, leastOfNode(cell));
        if (!isAllowed) {
            tryAll(cell);
        }
    }

    /// -1 if there is none.
    private int leastBeside(int node) {
        for (int position = 0; position < byWeight.size(); position++) {
            if (load.node(byWeight.cell(position)) != node) {
                return byWeight.cell(position);
            }
        }
        return -1;
    }

    /// What the least cell of the other nodes weighs.
    double leastWeightBeside(int node) {
        int least = leastBeside(node);
        return least < 0 ? Double.POSITIVE_INFINITY : byWeight.key(least);
    }

    private int leastOfNode(int cell) {
        int least = -1;
        for (int other : nodeCells.of(load.node(cell))) {
            boolean isLess = least < 0 || objective.cellLoad(other) < objective.cellLoad(least);
            if (other != cell && isLess) {
                least = other;
            }
        }
        return least;
    }

    /// Whether memory allows what would be best.
    private boolean tryTarget(int cell, int candidate) {
        if (candidate < 0) {
            return true;
        }
        double slope = objective.slope(cell, candidate);
        double curve = objective.curve(load.node(cell) == load.node(candidate));
        if (slope <= 0 || curve <= 0) {
            return true;
        }
        int position = sorted.ceiling(cell, slope / (2 * curve));
        boolean isAllowed = true;
        if (position < sorted.to(cell)) {
            isAllowed = tryMove(cell, sorted.tablet(position), candidate);
        }
        if (position > sorted.from(cell)) {
            isAllowed &= tryMove(cell, sorted.tablet(position - 1), candidate);
        }
        return isAllowed;
    }

    /// Whether memory allows the move, or it would not be better anyway.
    private boolean tryMove(int cell, int candidate, int toCell) {
        double found = objective.gain(candidate, cell, toCell);
        if (found <= gain) {
            return true;
        }
        if (!memory.allows(candidate, cell, toCell)) {
            isRefused[candidate] = true;
            return false;
        }
        gain = found;
        tablet = candidate;
        target = toCell;
        return true;
    }

    private void tryAll(int cell) {
        for (int position = sorted.to(cell) - 1; position >= sorted.from(cell); position--) {
            int candidate = sorted.tablet(position);
            double metric = load.metric(candidate);
            double ofTable = objective.hasTables() ? objective.tableGain(candidate, cell) : 0;
            for (int other : nodeCells.of(load.node(cell))) {
                if (other != cell) {
                    tryMove(cell, candidate, other);
                }
            }
            tryOtherNodes(cell, candidate, metric, ofTable);
        }
    }

    /// @param ofTable the most that the terms of the table can add to a gain
    private void tryOtherNodes(int cell, int candidate, double metric, double ofTable) {
        double weighed = objective.weighed(cell);
        double curve = objective.curve(false);
        for (int position = 0; position < byWeight.size(); position++) {
            int other = byWeight.cell(position);
            double slope = weighed - byWeight.key(other);
            if (Objective.gain(metric, slope, curve) + ofTable <= gain) {
                return;
            }
            if (load.node(other) != load.node(cell)) {
                tryMove(cell, candidate, other);
            }
        }
    }
}
