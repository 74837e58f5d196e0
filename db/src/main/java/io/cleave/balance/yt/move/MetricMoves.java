package io.cleave.balance.yt.move;

import io.cleave.balance.Figure;
import io.cleave.balance.yt.settings.GroupSettings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/// Moves tablets so that a metric of load is spread evenly over cells and nodes: again and again
/// the one move that makes the [Objective] smallest. A tablet is moved once at most.
///
/// Cells are in a heap by the gain of their best move ([BestMove]). A move lowers the gains of
/// almost all other cells, so a gain in the heap is an upper bound: it is computed again when it
/// comes to the top. The few cells whose gains may have grown are computed again at once. With
/// per-table terms, or where memory is short, this can miss a gain that has grown; so all cells are
/// computed again before the round ends because nothing is left to gain.
public final class MetricMoves {
    /// Tablets with no more than this have no load.
    private static final double LEAST_METRIC = 1e-30;

    /// Gains below this share of the objective are rounding errors.
    private static final double LEAST_GAIN = 1e-13;

    private final BundleLoad load;
    private final MetricMoveOptions options;
    private final Objective objective;
    private final SortedTablets sorted;
    private final CellOrder byWeight;
    private final MemoryGuard memory;
    private final NodeCells nodeCells;
    private final BestMove best;
    private final GainHeap heap;

    /// The number of moves when the gain of a cell was computed.
    private final int[] computedAt;

    /// The tablet and the target of each cell's gain.
    private final int[] bestTablets;

    private final int[] bestTargets;
    private final List<CellMove> moves = new ArrayList<>();
    private final BitSet moved = new BitSet();
    private double objectiveLeft;

    private MetricMoves(
            BundleLoad load, MetricMoveOptions options, Objective objective, int[] chosen) {
        this.load = load;
        this.options = options;
        this.objective = objective;
        sorted = new SortedTablets(load, chosen);
        byWeight =
                new CellOrder(
                        IntStream.range(0, load.cellCount())
                                .mapToDouble(objective::weighed)
                                .toArray());
        memory = new MemoryGuard(load, options.safeUsedTabletStaticRatio());
        nodeCells = new NodeCells(load);
        best = new BestMove(load, objective, sorted, byWeight, memory, nodeCells);
        heap = new GainHeap(load.cellCount());
        computedAt = new int[load.cellCount()];
        bestTablets = new int[load.cellCount()];
        bestTargets = new int[load.cellCount()];
        objectiveLeft = objective.value();
    }

    /// The moves of a round for the tables of a group.
    public static MovePlan plan(
            BundleLoad load, String group, GroupSettings settings, MetricMoveOptions options) {
        StayReason[] reasons = new StayReason[load.tableCount()];
        Arrays.setAll(reasons, table -> reason(load.table(table), group, settings));
        var stays = new MovePlan.Stays(load.tabletCount(), StayReason.OTHER_GROUP);
        int[] all = new int[load.tabletCount()];
        int count = 0;
        boolean isBad = false;
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            double metric = load.metric(tablet);
            StayReason reason = reasons[load.tableOf(tablet)];
            if (reason != StayReason.NO_GAIN) {
                stays.set(tablet, reason);
            } else if (!load.isActive(tablet)) {
                stays.set(tablet, StayReason.NOT_MOUNTED);
            } else if (metric >= 0 && metric <= LEAST_METRIC) {
                stays.set(tablet, StayReason.NO_LOAD);
            } else {
                isBad |= !(metric >= 0) || Double.isInfinite(metric);
                all[count++] = tablet;
            }
        }
        int[] chosen = Arrays.copyOf(all, count);
        if (isBad || load.cellCount() < 2 || count == 0) {
            setAll(stays, chosen, isBad ? StayReason.BAD_METRIC : StayReason.ONE_CELL);
            return new MovePlan(load, List.of(), stays, tablet -> List.of(metric(load, tablet)));
        }
        var objective = new Objective(load, chosen, options);
        boolean deviates =
                objective.deviates(
                        options.nodeDeviationThreshold(), options.cellDeviationThreshold());
        if (!deviates || objective.isSettled(options.settledDeviation())) {
            setAll(stays, chosen, StayReason.BALANCED);
            return new MovePlan(load, List.of(), stays, tablet -> figures(load, objective, tablet));
        }
        return new MetricMoves(load, options, objective, chosen).plan(stays, chosen);
    }

    /// Why no tablet of the table is moved; NO_GAIN if some may be.
    private static StayReason reason(MovableTable table, String group, GroupSettings settings) {
        if (!table.isByMetric() || !table.group().equals(group)) {
            return StayReason.OTHER_GROUP;
        }
        if (!settings.enableMove()) {
            return StayReason.SWITCHED_OFF_AT_GROUP;
        }
        return table.enableAutoTabletMove() ? StayReason.NO_GAIN : StayReason.SWITCHED_OFF_AT_TABLE;
    }

    private static void setAll(MovePlan.Stays stays, int[] chosen, StayReason reason) {
        for (int tablet : chosen) {
            stays.set(tablet, reason);
        }
    }

    private static Figure metric(BundleLoad load, int tablet) {
        return Figure.count("metric", load.metric(tablet));
    }

    private static List<Figure> figures(BundleLoad load, Objective objective, int tablet) {
        int cell = load.cellOf(tablet);
        double cellLoad = objective.cellLoad(cell);
        double nodeLoad = objective.nodeLoad(load.node(cell));
        return List.of(
                metric(load, tablet),
                Figure.count("load of its cell", cellLoad),
                Figure.count("mean of the cells", objective.meanOfCells()),
                Figure.count("load of its node", nodeLoad),
                Figure.count("mean of the nodes", objective.meanOfNodes()));
    }

    private MovePlan plan(MovePlan.Stays stays, int[] chosen) {
        StayReason reason = moveWhileItGains();
        // At the limit, a tablet for which one cell has no memory might still go to another.
        boolean isLimited = reason == StayReason.LIMIT;
        for (int tablet : chosen) {
            if (moved.get(tablet)) {
                stays.setMoved(tablet);
            } else {
                boolean isRefused = best.isRefused(tablet) && !isLimited;
                stays.set(tablet, isRefused ? StayReason.NO_MEMORY : reason);
            }
        }
        return new MovePlan(load, moves, stays, tablet -> figures(load, objective, tablet));
    }

    /// Why it ended: the reason of every tablet that was not moved.
    private StayReason moveWhileItGains() {
        computeAll();
        boolean isExact = true;
        while (true) {
            if (objective.isSettled(options.settledDeviation())) {
                return StayReason.BALANCED;
            }
            if (moves.size() >= options.maxMoves()) {
                return StayReason.LIMIT;
            }
            int cell = heap.top();
            double gain = heap.gain(cell);
            boolean isTooLittle = gain <= LEAST_GAIN * objectiveLeft;
            boolean isSmall = isTooLittle || gain <= leastGain();
            if (isSmall && isExact) {
                return isTooLittle ? StayReason.NO_GAIN : StayReason.SMALL_GAIN;
            }
            if (isSmall) {
                computeAll();
                isExact = true;
            } else if (computedAt[cell] < moves.size()) {
                compute(cell);
            } else {
                move(bestTablets[cell], cell, bestTargets[cell], gain);
                isExact = false;
            }
        }
    }

    private double leastGain() {
        return objectiveLeft * options.minRelativeMetricImprovement() / load.nodeCount();
    }

    private void computeAll() {
        for (int cell = 0; cell < load.cellCount(); cell++) {
            compute(cell);
        }
    }

    private void compute(int cell) {
        best.find(cell);
        bestTablets[cell] = best.tablet();
        bestTargets[cell] = best.target();
        computedAt[cell] = moves.size();
        heap.set(cell, best.gain());
    }

    private void move(int tablet, int fromCell, int toCell, double gain) {
        moves.add(
                new CellMove(
                        load.tabletId(tablet),
                        load.cellId(fromCell),
                        load.cellId(toCell),
                        CellMove.Reason.METRIC,
                        List.of(
                                metric(load, tablet),
                                Figure.count("load of the cell", objective.cellLoad(fromCell)),
                                Figure.count("of the other cell", objective.cellLoad(toCell)),
                                Figure.count("mean of the cells", objective.meanOfCells()))));
        moved.set(tablet);
        int leastNode = load.node(byWeight.cell(0));
        double leastWeight = byWeight.key(byWeight.cell(0));
        double leastBeside = best.leastWeightBeside(leastNode);
        objective.move(tablet, fromCell, toCell);
        memory.move(tablet, fromCell, toCell);
        sorted.remove(fromCell, tablet);
        objectiveLeft -= gain;
        int fromNode = load.node(fromCell);
        int toNode = load.node(toCell);
        weighAgain(fromNode);
        weighAgain(toNode);
        computeAgain(fromNode);
        computeAgain(toNode);
        // The source's node weighs less now: its cells may be better targets than any before.
        if (byWeight.key(byWeight.cell(0)) < leastWeight) {
            computeAll();
        } else if (best.leastWeightBeside(leastNode) < leastBeside) {
            computeAgain(leastNode);
        }
    }

    private void weighAgain(int node) {
        for (int cell : nodeCells.of(node)) {
            byWeight.set(cell, objective.weighed(cell));
        }
    }

    private void computeAgain(int node) {
        for (int cell : nodeCells.of(node)) {
            compute(cell);
        }
    }
}
