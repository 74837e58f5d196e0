package io.cleave.balance.yt.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/// What holds for every bundle, whatever its cells, tablets and settings are.
class MovesPropertyTest {
    /// Thirty thousand have been run, too: `-Drounds=30000`.
    private static final int ROUNDS = Integer.getInteger("rounds", 400);

    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /// Each move of a plan is the best one of all pairs of a tablet and a cell, if neither tables
    /// nor memory count. In the end no pair would gain anything.
    @Test
    void movesByAMetricAreTheBestOnes() {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            var random = new Random(seed);
            BundleLoad load =
                    randomLoad(random, random.nextBoolean(), BundleSettings.DEFAULT_GROUP);
            MetricMoveOptions options = options(random);
            MovePlan plan = metricPlan(load, options);
            new Replay(load, options, "-Dseed=" + seed).follow(plan);
        }
    }

    private static MovePlan metricPlan(BundleLoad load, MetricMoveOptions options) {
        return MetricMoves.plan(load, BundleSettings.DEFAULT_GROUP, GroupSettings.DEFAULT, options);
    }

    /// Carries a plan out, and compares it with a look at all pairs.
    private static final class Replay {
        private final BundleLoad load;
        private final String seed;
        private final Objective objective;
        private final MemoryGuard memory;
        private final BitSet moved = new BitSet();

        /// Whether neither tables nor memory count: then no better move is ever missed.
        private final boolean isExact;

        private final Map<Long, Integer> tablets = new HashMap<>();
        private final Map<Long, Integer> cells = new HashMap<>();

        Replay(BundleLoad load, MetricMoveOptions options, String seed) {
            this.load = load;
            this.seed = seed;
            isExact = !options.hasTableFactors() && !load.isInMemory(0);
            int[] all = IntStream.range(0, load.tabletCount()).toArray();
            objective = new Objective(load, all, options);
            memory = new MemoryGuard(load, options.safeUsedTabletStaticRatio());
            IntStream.range(0, load.tabletCount())
                    .forEach(tablet -> tablets.put(load.tabletId(tablet), tablet));
            IntStream.range(0, load.cellCount())
                    .forEach(cell -> cells.put(load.cellId(cell), cell));
        }

        void follow(MovePlan plan) {
            for (CellMove move : plan.moves()) {
                int tablet = tablets.get(move.tabletId());
                int from = cells.get(move.fromCellId());
                int to = cells.get(move.toCellId());
                assertThat(load.cellOf(tablet)).as(seed).isEqualTo(from);
                assertThat(memory.allows(tablet, from, to)).as(seed).isTrue();
                double gain = objective.gain(tablet, from, to);
                assertThat(gain).as(seed).isPositive();
                if (isExact) {
                    assertThat(gain).as(seed).isCloseTo(best(), within(1e-9));
                }
                objective.move(tablet, from, to);
                memory.move(tablet, from, to);
                assertThat(moved.get(tablet)).as(seed).isFalse();
                moved.set(tablet);
            }
            for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
                assertThat(plan.stay(tablet).isEmpty()).as(seed).isEqualTo(moved.get(tablet));
            }
            boolean isOver =
                    IntStream.range(0, load.tabletCount())
                            .mapToObj(plan::stay)
                            .flatMap(Optional::stream)
                            .noneMatch(reason -> reason == StayReason.LIMIT);
            if (isOver) {
                assertThat(best()).as(seed).isCloseTo(0, within(1e-9));
            }
        }

        private double best() {
            double best = 0;
            for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
                int from = load.cellOf(tablet);
                for (int to = 0; to < load.cellCount() && !moved.get(tablet); to++) {
                    if (to != from && memory.allows(tablet, from, to)) {
                        best = Math.max(best, objective.gain(tablet, from, to));
                    }
                }
            }
            return best;
        }
    }

    private static MetricMoveOptions options(Random random) {
        boolean hasTables = random.nextInt(3) == 0;
        return new MetricMoveOptions(
                random.nextInt(3) == 0 ? random.nextInt(10) : 1000,
                0,
                0,
                0,
                random.nextInt(4) == 0 ? 0.2 : 1,
                random.nextInt(4) == 0 ? 0 : 1,
                hasTables ? random.nextDouble() : 0,
                hasTables ? random.nextDouble() : 0,
                0,
                0.5 + random.nextDouble() / 2);
    }

    /// An ordinary table ends with its share in every cell; a second round moves nothing.
    @Test
    void ordinaryTablesAreSpreadAndThenStay() {
        for (int round = 0; round < ROUNDS; round++) {
            String seed = "-Dseed=" + (SEED + round);
            BundleLoad load =
                    randomLoad(new Random(SEED + round), false, BundleSettings.LEGACY_GROUP);
            MovePlan plan = OrdinaryMoves.round(load, ordinary(), SEED);
            BundleLoad after = after(load, plan);
            Map<Integer, int[]> counts = new HashMap<>();
            for (int tablet = 0; tablet < after.tabletCount(); tablet++) {
                counts.computeIfAbsent(after.tableOf(tablet), _ -> new int[after.cellCount()])[
                        after.cellOf(tablet)]++;
            }
            for (int[] each : counts.values()) {
                int all = Arrays.stream(each).sum();
                for (int count : each) {
                    assertThat(count - all / after.cellCount()).as(seed).isBetween(0, 1);
                }
            }
            assertThat(OrdinaryMoves.round(after, ordinary(), SEED + 1).moves()).as(seed).isEmpty();
        }
    }

    private static BundleSettings ordinary() {
        BundleSettings base = BundleSettings.DEFAULT;
        return new BundleSettings(
                base.enableTabletSizeBalancer(),
                base.enableInMemoryCellBalancer(),
                true,
                base.enableStandaloneTabletBalancer(),
                base.compatEnableTabletCellSmoothing(),
                base.minTabletSize(),
                base.desiredTabletSize(),
                base.maxTabletSize(),
                base.minInMemoryTabletSize(),
                base.desiredInMemoryTabletSize(),
                base.maxInMemoryTabletSize(),
                base.tabletToCellRatio(),
                base.softInMemoryCellBalanceThreshold(),
                base.hardInMemoryCellBalanceThreshold(),
                base.tabletBalancerSchedule(),
                base.enableVerboseLogging(),
                base.enableParameterizedByDefault(),
                base.defaultInMemoryGroup(),
                base.groups(),
                base.enablePickPivotKeys(),
                base.safeUsedTabletStaticRatio(),
                base.enableSmoothMovement());
    }

    /// Cells come to rest, and the fullest one never gets more.
    @Test
    void inMemoryTabletsComeToRest() {
        for (int round = 0; round < ROUNDS; round++) {
            String seed = "-Dseed=" + (SEED + round);
            BundleLoad load =
                    randomLoad(
                            new Random(SEED + round), true, BundleSettings.LEGACY_IN_MEMORY_GROUP);
            long most = mostBytes(load);
            for (int step = 0; ; step++) {
                MovePlan plan = InMemoryMoves.round(load, BundleSettings.DEFAULT);
                if (plan.moves().isEmpty()) {
                    break;
                }
                assertThat(step).as(seed).isLessThan(50);
                load = after(load, plan);
                assertThat(mostBytes(load)).as(seed).isLessThanOrEqualTo(most);
                most = mostBytes(load);
            }
        }
    }

    private static long mostBytes(BundleLoad load) {
        long[] bytes = new long[load.cellCount()];
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            bytes[load.cellOf(tablet)] += load.memoryBytes(tablet);
        }
        return Arrays.stream(bytes).max().orElseThrow();
    }

    private static BundleLoad after(BundleLoad load, MovePlan plan) {
        Map<Long, Long> targets = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (CellMove move : plan.moves()) {
            assertThat(seen.add(move.tabletId())).isTrue();
            targets.put(move.tabletId(), move.toCellId());
        }
        var builder = new BundleLoad.Builder();
        Map<Long, Integer> cells = new HashMap<>();
        for (int node = 0; node < load.nodeCount(); node++) {
            builder.addNode(load.nodeId(node), load.memory(node));
        }
        for (int cell = 0; cell < load.cellCount(); cell++) {
            cells.put(load.cellId(cell), builder.addCell(load.cellId(cell), load.node(cell)));
        }
        for (int table = 0; table < load.tableCount(); table++) {
            builder.addTable(load.table(table));
        }
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            long id = load.tabletId(tablet);
            int cell = cells.get(targets.getOrDefault(id, load.cellId(load.cellOf(tablet))));
            builder.addTablet(
                    id,
                    cell,
                    load.tableOf(tablet),
                    load.metric(tablet),
                    load.memoryBytes(tablet),
                    true);
        }
        return builder.build();
    }

    private static BundleLoad randomLoad(Random random, boolean isInMemory, String group) {
        var builder = new BundleLoad.Builder();
        int nodes = 1 + random.nextInt(5);
        boolean isLimited = random.nextInt(3) == 0;
        for (int node = 0; node < nodes; node++) {
            int slots = 1 + random.nextInt(3);
            builder.addNode(
                    node,
                    isLimited
                            ? new NodeMemory(100 + random.nextInt(400), random.nextInt(50), slots)
                            : NodeMemory.UNLIMITED);
        }
        int cells = 2 + random.nextInt(8);
        for (int cell = 0; cell < cells; cell++) {
            builder.addCell(100 + cell, random.nextInt(nodes));
        }
        int tables = 1 + random.nextInt(4);
        for (int table = 0; table < tables; table++) {
            boolean isByMetric = group.equals(BundleSettings.DEFAULT_GROUP);
            builder.addTable(new MovableTable(table, isInMemory, group, true, isByMetric));
        }
        int tablets = 1 + random.nextInt(40);
        for (int tablet = 0; tablet < tablets; tablet++) {
            int cell = random.nextBoolean() ? 0 : random.nextInt(cells);
            double metric = 0.01 + Math.pow(random.nextDouble(), 3);
            builder.addTablet(
                    1000 + tablet,
                    cell,
                    random.nextInt(tables),
                    metric,
                    1 + random.nextInt(30),
                    true);
        }
        return builder.build();
    }
}
