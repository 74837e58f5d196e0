package io.cleave.bench.balance;

import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.balance.yt.move.MetricMoveOptions;
import io.cleave.balance.yt.move.MetricMoves;
import io.cleave.balance.yt.move.MovePlan;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.reshard.ReshardTable;
import io.cleave.balance.yt.reshard.ReshardTablet;
import io.cleave.balance.yt.reshard.SizeReshard;
import io.cleave.balance.yt.reshard.Trigger;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;
import io.cleave.balance.yt.settings.TableSettings;
import io.cleave.bench.Figures;
import io.cleave.schema.MountState;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;

/// Plans for a bundle of 1,000 cells on 200 nodes with 1,000 tables. The first plan of a size is
/// the figure: a balancer runs once in minutes, and nothing is warm.
final class PlanPart {
    private static final int SMALL = 100_000;
    private static final int LARGE = 1_000_000;
    private static final int FIRST_MOVES = 10_000;
    private static final int ANY_MOVES = Integer.MAX_VALUE;
    private static final double SMALL_BAR_SECONDS = 5;
    private static final double LARGE_BAR_SECONDS = 60;
    private static final double MEMORY_BAR_GB = 1;
    private static final double IMBALANCE_BAR = 1.05;
    private static final double MOVES_BAR = 1.1;
    private static final double QUIET_BAR_MILLIS = 200;
    private static final int QUIET_ROUNDS = 5;
    private static final long TABLET_BYTES = 1L << 30;

    private final long seed;

    PlanPart(long seed) {
        this.seed = seed;
    }

    void run(Figures figures) {
        SkewedBundle settled = planSmall(figures);
        planLarge(figures);
        quietRound(figures, settled);
        PolicyPart.quietRound(figures, settled);
        new PolicyPart(seed).ownPolicy(figures);
    }

    private SkewedBundle planSmall(Figures figures) {
        var bundle = SkewedBundle.draw(SMALL, seed);
        resetPeak();
        long start = System.nanoTime();
        MovePlan plan = plan(bundle.load(), 0, ANY_MOVES);
        double seconds = (System.nanoTime() - start) / 1e9;
        double gigabytes = peakBytes() / (double) (1 << 30);
        SkewedBundle after = bundle.after(plan);
        int least = bundle.leastMoves();
        figures.say(
                "100,000 tablets, 1,000 tables, 1,000 cells, 200 nodes: max / mean load %.2f before, %,d moves, least %,d"
                        .formatted(bundle.imbalance(), plan.moves().size(), least));
        figures.printWithBarAtMost(SMALL_BAR_SECONDS, "plan, 100,000 tablets", seconds, "s");
        figures.printWithBarAtMost(MEMORY_BAR_GB, "  peak of the heap", gigabytes, "GB");
        figures.printWithBarAtMost(
                IMBALANCE_BAR, "  max / mean load of cells after it", after.imbalance(), "");
        figures.printWithBarAtMost(
                MOVES_BAR, "  moves / least moves", plan.moves().size() / (double) least, "");
        return after;
    }

    private void planLarge(Figures figures) {
        var bundle = SkewedBundle.draw(LARGE, seed + 1);
        long start = System.nanoTime();
        MovePlan plan = plan(bundle.load(), 0, FIRST_MOVES);
        double seconds = (System.nanoTime() - start) / 1e9;
        figures.printWithBarAtMost(
                LARGE_BAR_SECONDS,
                "first %,d moves, 1,000,000 tablets".formatted(plan.moves().size()),
                seconds,
                "s");
    }

    /// A round of resharding and moves with the default thresholds.
    private static void quietRound(Figures figures, SkewedBundle settled) {
        List<ReshardTable> tables = tables(settled.load());
        double slowest = 0;
        for (int round = 0; round < QUIET_ROUNDS; round++) {
            long start = System.nanoTime();
            int actions = 0;
            for (ReshardTable table : tables) {
                actions +=
                        SizeReshard.plan(table, ReshardOptions.DEFAULT, Trigger.ROUND)
                                .actions()
                                .size();
            }
            actions +=
                    plan(settled.load(), 0.1, MetricMoveOptions.DEFAULT.maxMoves()).moves().size();
            slowest = Math.max(slowest, (System.nanoTime() - start) / 1e6);
            if (actions > 0) {
                throw new IllegalStateException("the round had " + actions + " actions");
            }
        }
        figures.printWithBarAtMost(
                QUIET_BAR_MILLIS, "round with nothing to do, 100,000 tablets", slowest, "ms");
    }

    private static MovePlan plan(BundleLoad load, double threshold, int maxMoves) {
        MetricMoveOptions base = MetricMoveOptions.DEFAULT;
        var options =
                new MetricMoveOptions(
                        maxMoves,
                        threshold,
                        threshold,
                        base.minRelativeMetricImprovement(),
                        base.cellFactor(),
                        base.nodeFactor(),
                        base.tableCellFactor(),
                        base.tableNodeFactor(),
                        base.settledDeviation(),
                        base.safeUsedTabletStaticRatio());
        return MetricMoves.plan(load, SkewedBundle.GROUP, GroupSettings.DEFAULT, options);
    }

    /// Tablets of the same sizes for each table.
    private static List<ReshardTable> tables(BundleLoad load) {
        List<List<ReshardTablet>> tablets = new ArrayList<>();
        for (int table = 0; table < load.tableCount(); table++) {
            tablets.add(new ArrayList<>());
        }
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            tablets.get(load.tableOf(tablet))
                    .add(
                            new ReshardTablet(
                                    load.tabletId(tablet),
                                    MountState.MOUNTED,
                                    TABLET_BYTES,
                                    TABLET_BYTES,
                                    2,
                                    load.metric(tablet)));
        }
        List<ReshardTable> tables = new ArrayList<>();
        for (List<ReshardTablet> each : tablets) {
            tables.add(
                    new ReshardTable(
                            true,
                            InMemoryMode.NONE,
                            TableSettings.DEFAULT,
                            BundleSettings.DEFAULT,
                            load.cellCount(),
                            each));
        }
        return tables;
    }

    private static void resetPeak() {
        System.gc();
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            pool.resetPeakUsage();
        }
    }

    private static long peakBytes() {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                bytes += pool.getPeakUsage().getUsed();
            }
        }
        return bytes;
    }
}
