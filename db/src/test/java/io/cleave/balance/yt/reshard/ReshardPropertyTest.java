package io.cleave.balance.yt.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.TableSettings;
import io.cleave.schema.MountState;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/// What holds for every table, whatever its tablets and settings are.
class ReshardPropertyTest {
    /// A hundred thousand have been run, too: `-Drounds=100000`.
    private static final int ROUNDS = Integer.getInteger("rounds", 2000);

    /// Far more than any table needs to come to rest.
    private static final int MOST_STEPS = 60;

    private enum Kind {
        SIZE,
        METRIC
    }

    @Test
    void tablesThatAreReshardedBySizeComeToRest() {
        tablesComeToRest(Kind.SIZE);
    }

    @Test
    void tablesThatAreReshardedByAMetricComeToRest() {
        tablesComeToRest(Kind.METRIC);
    }

    private static void tablesComeToRest(Kind kind) {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            comesToRest(kind, seed + round);
        }
    }

    private static void comesToRest(Kind kind, long seed) {
        var random = new Random(seed);
        ReshardTable table = randomTable(random, kind);
        var options =
                new ReshardOptions(
                        random.nextInt(4) == 0 ? random.nextInt(200) : 0,
                        false,
                        random.nextBoolean());
        String story = "-Dseed=" + seed + ": " + table;
        for (int step = 0; ; step++) {
            ReshardDecisions decisions = decide(kind, table, options);
            assertThat(decisions).as(story).isEqualTo(decide(kind, table, options));
            everyTabletIsDecidedOnce(table, decisions, story);
            if (decisions.actions().isEmpty()) {
                return;
            }
            assertThat(step).as("steps of " + story).isLessThan(MOST_STEPS);
            int before = table.tablets().size();
            table = carriedOut(table, decisions);
            int after = table.tablets().size();
            int minCount = table.settings().minTabletCount().orElse(1);
            assertThat(after).as(story).isGreaterThanOrEqualTo(Math.min(before, minCount));
            assertThat(after).as(story).isLessThanOrEqualTo(ReshardOptions.MAX_TABLETS);
        }
    }

    private static ReshardDecisions decide(Kind kind, ReshardTable table, ReshardOptions options) {
        return switch (kind) {
            case SIZE -> SizeReshard.plan(table, options, Trigger.ROUND);
            case METRIC -> MetricReshard.plan(table, true, Trigger.ROUND);
        };
    }

    private static void everyTabletIsDecidedOnce(
            ReshardTable table, ReshardDecisions decisions, String story) {
        Map<Long, Integer> indexes = new HashMap<>();
        table.tablets().forEach(tablet -> indexes.put(tablet.tabletId(), indexes.size()));
        Set<Long> seen = new HashSet<>();
        for (Reshard action : decisions.actions()) {
            int first = indexes.get(action.tabletIds().getFirst());
            for (int index = 0; index < action.tabletIds().size(); index++) {
                long id = action.tabletIds().get(index);
                assertThat(indexes.get(id)).as("neighbors: " + story).isEqualTo(first + index);
                assertThat(seen.add(id)).as("overlap: " + story).isTrue();
                MountState state = table.tablets().get(first + index).state();
                assertThat(state).as(story).isEqualTo(MountState.MOUNTED);
            }
        }
        for (LeftTablet left : decisions.left()) {
            assertThat(seen.add(left.tabletId())).as("left and not: " + story).isTrue();
        }
        assertThat(seen).as(story).hasSize(table.tablets().size());
    }

    /// The table after all actions, each of which has cut exactly.
    private static ReshardTable carriedOut(ReshardTable table, ReshardDecisions decisions) {
        Map<Long, Reshard> actions = new HashMap<>();
        for (Reshard action : decisions.actions()) {
            action.tabletIds().forEach(id -> actions.put(id, action));
        }
        List<ReshardTablet> tablets = new ArrayList<>();
        long nextId =
                1 + table.tablets().stream().mapToLong(ReshardTablet::tabletId).max().orElse(0);
        int index = 0;
        while (index < table.tablets().size()) {
            Reshard action = actions.get(table.tablets().get(index).tabletId());
            if (action == null) {
                tablets.add(table.tablets().get(index++));
                continue;
            }
            int to = index + action.tabletIds().size();
            long bytes = 0;
            double metric = 0;
            for (; index < to; index++) {
                bytes += table.tablets().get(index).uncompressedBytes();
                metric += table.tablets().get(index).metric();
            }
            int count = action.newCount();
            for (int piece = 0; piece < count; piece++) {
                long size = bytes * (piece + 1) / count - bytes * piece / count;
                tablets.add(
                        new ReshardTablet(
                                nextId++, MountState.MOUNTED, size, size, 2, metric / count));
            }
        }
        return new ReshardTable(
                true, InMemoryMode.NONE, table.settings(), table.bundle(), table.cells(), tablets);
    }

    private static ReshardTable randomTable(Random random, Kind kind) {
        int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 12);
        int greatest = 1 + random.nextInt(1000);
        List<ReshardTablet> tablets = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            long bytes = (long) (greatest * Math.pow(random.nextDouble(), 1 + random.nextInt(4)));
            double metric = random.nextInt(4) == 0 ? 0 : 10 * random.nextDouble();
            MountState state = random.nextInt(8) == 0 ? MountState.FROZEN : MountState.MOUNTED;
            int partitions = 1 + random.nextInt(2);
            tablets.add(new ReshardTablet(index, state, bytes, bytes, partitions, metric));
        }
        return new ReshardTable(
                true,
                InMemoryMode.NONE,
                settings(random, kind),
                BundleSettings.DEFAULT,
                1 + random.nextInt(5),
                tablets);
    }

    private static TableSettings settings(Random random, Kind kind) {
        boolean hasCount = random.nextInt(3) == 0;
        // Often as narrow as can be: then few counts fit.
        int min = 1 + random.nextInt(100);
        int desired = min + 1 + random.nextInt(random.nextBoolean() ? 2 : 100);
        int max = desired + 1 + random.nextInt(random.nextBoolean() ? 2 : 100);
        TableSettings base = TableSettings.DEFAULT;
        return new TableSettings(
                true,
                true,
                OptionalLong.of(min),
                OptionalLong.of(desired),
                OptionalLong.of(max),
                hasCount ? OptionalInt.of(1 + random.nextInt(20)) : OptionalInt.empty(),
                random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(12)) : OptionalInt.empty(),
                false,
                base.enableParameterized(),
                base.group(),
                kind == Kind.METRIC
                        ? OptionalDouble.of(0.1 + 10 * random.nextDouble())
                        : OptionalDouble.empty(),
                base.replicaPathOverrides(),
                base.enableSmoothMovement());
    }

    @Test
    void aTableHasFewerThanTenThousandTabletsAfterSplits() {
        // Tablets of 10 bytes fit, and one of 30 is too large.
        assertThat(splitBeside(9_996).actions()).hasSize(1);
        ReshardDecisions refused = splitBeside(9_997);
        assertThat(refused.actions()).isEmpty();
        assertThat(refused.left().getLast().reason()).isEqualTo(LeaveReason.COUNT_LIMIT);
        assertThat(refused.left().getLast().text())
                .isEqualTo(
                        "leave tablet 9997: size 30 B, max 20 B, tablets 9998 (threshold 10000);"
                                + " the table would have 10000 tablets or more");
    }

    private static ReshardDecisions splitBeside(int count) {
        List<ReshardTablet> tablets = new ArrayList<>();
        for (int index = 0; index <= count; index++) {
            long bytes = index == count ? 30 : 10;
            tablets.add(new ReshardTablet(index, MountState.MOUNTED, bytes, bytes, 2, 0));
        }
        TableSettings base = TableSettings.DEFAULT;
        var settings =
                new TableSettings(
                        true,
                        true,
                        OptionalLong.of(5),
                        OptionalLong.of(11),
                        OptionalLong.of(20),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        false,
                        base.enableParameterized(),
                        base.group(),
                        base.desiredTabletMetric(),
                        base.replicaPathOverrides(),
                        base.enableSmoothMovement());
        var table =
                new ReshardTable(
                        true, InMemoryMode.NONE, settings, BundleSettings.DEFAULT, 4, tablets);
        var options = new ReshardOptions(0, false, true);
        return SizeReshard.plan(table, options, Trigger.ROUND);
    }
}
