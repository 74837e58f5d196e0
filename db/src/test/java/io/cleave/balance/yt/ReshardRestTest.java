package io.cleave.balance.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Bytes;
import io.cleave.schema.Balancer;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// Tables with rows of random sizes: what the policy decides is carried out until it changes
/// nothing more.
class ReshardRestTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int TABLES = 2000;

    /// A table has few tablets, and a round deals with all that do not fit.
    private static final int MOST_ROUNDS = 20;

    @Test
    void everyTableComesToRest() {
        var seeds = new Random(SEED);
        int rounds = 0;
        for (int table = 0; table < TABLES; table++) {
            long seed = seeds.nextLong();
            var model = new Model(new Random(seed));
            List<String> story = new ArrayList<>(List.of("-Dseed=" + SEED, model.toString()));
            Set<List<Integer>> seen = new HashSet<>();
            while (model.round(story)) {
                rounds++;
                assertThat(seen.add(model.cuts())).as(String.join("\n", story)).isTrue();
                assertThat(seen).as(String.join("\n", story)).hasSizeLessThan(MOST_ROUNDS);
            }
        }
        assertThat(rounds).isGreaterThan(TABLES / 2);
    }

    /// A row is at each number from 0 on.
    private static final class Model implements KeyFacts {
        private final YtPolicy policy =
                new YtPolicy(new ReshardOptions(0, false, true), new MetricExpressions());
        private final long[] rows;
        private final String config;

        /// The first row of each tablet.
        private List<Integer> cuts = new ArrayList<>();

        Model(Random random) {
            rows = new long[1 + random.nextInt(200)];
            boolean isUneven = random.nextBoolean();
            long total = 0;
            for (int row = 0; row < rows.length; row++) {
                double size = random.nextDouble();
                rows[row] = 1 + (long) (1000 * (isUneven ? Math.pow(size, 12) * 20 : size));
                total += rows[row];
            }
            cuts.add(0);
            for (int row = 1; row < rows.length; row++) {
                if (random.nextInt(rows.length) < 4) {
                    cuts.add(row);
                }
            }
            config = config(random, total);
        }

        private static String config(Random random, long total) {
            String minCount =
                    random.nextInt(3) == 0 ? "min_tablet_count=" + (1 + random.nextInt(4)) : "";
            if (random.nextBoolean()) {
                int count = 4 + random.nextInt(12);
                return "{desired_tablet_count=%d;%s}".formatted(count, minCount);
            }
            long desired = 10 + total / (1 + random.nextInt(20));
            long min = (long) (desired * (0.1 + 0.85 * random.nextDouble()));
            long max = (long) (desired * (1.1 + 2 * random.nextDouble()));
            return "{min_tablet_size=%d;desired_tablet_size=%d;max_tablet_size=%d;%s}"
                    .formatted(min, desired, max, minCount);
        }

        List<Integer> cuts() {
            return List.copyOf(cuts);
        }

        /// Whether something was changed.
        boolean round(List<String> story) {
            var yt =
                    new YtTable(
                            true,
                            Map.of(),
                            new TreeMap<>(
                                    Map.of(
                                            "tablet_balancer_config",
                                            YsonWriter.write(
                                                    YsonNode.parse(Bytes.utf8(config))
                                                            .orElseThrow(),
                                                    YsonWriter.Format.BINARY))),
                            MountStates.MOUNTED);
            var table =
                    new TableState(
                            DrawnCluster.table(1, TableOptions.DEFAULT.with(yt)),
                            "default",
                            Balancer.YT,
                            tablets());
            var state =
                    new ClusterState(
                            List.of(table),
                            List.of(new CellMembership(1, "default", 1)),
                            List.of(new BundleState("default", Bytes.EMPTY)));
            boolean isChanged = false;
            List<Decision> decisions =
                    policy.decide(state, this, BalanceSettings.DEFAULT).getOrDefault(1L, List.of());
            for (Decision decision : decisions) {
                story.add(decision.text(DrawnCluster::text));
                assertThat(decision).as(String.join("\n", story)).isNotInstanceOf(Move.class);
                if (decision instanceof Reshard reshard) {
                    carryOut(reshard);
                    isChanged = true;
                }
            }
            story.add("-> " + cuts);
            return isChanged;
        }

        private List<TabletState> tablets() {
            List<TabletState> tablets = new ArrayList<>();
            for (int index = 0; index < cuts.size(); index++) {
                long bytes = 0;
                for (int row = cuts.get(index); row < end(index); row++) {
                    bytes += rows[row];
                }
                tablets.add(
                        DrawnCluster.tablet(
                                cuts.get(index),
                                1,
                                new KeyRange(
                                        index == 0
                                                ? Bytes.EMPTY
                                                : DrawnCluster.key(cuts.get(index)),
                                        index == cuts.size() - 1
                                                ? null
                                                : DrawnCluster.key(end(index))),
                                bytes,
                                end(index) - cuts.get(index),
                                bytes,
                                0,
                                MountState.MOUNTED,
                                TabletCounters.NONE));
            }
            return tablets;
        }

        private int end(int index) {
            return index == cuts.size() - 1 ? rows.length : cuts.get(index + 1);
        }

        /// A tablet has the number of its first row as its id.
        private void carryOut(Reshard reshard) {
            int first = (int) (long) reshard.tabletIds().getFirst();
            int last = cuts.indexOf((int) (long) reshard.tabletIds().getLast());
            int end = end(last);
            List<Integer> changed = new ArrayList<>();
            cuts.stream().filter(cut -> cut <= first).forEach(changed::add);
            for (Bytes key : reshard.keys()) {
                int cut = Integer.parseInt(DrawnCluster.text(key));
                assertThat(cut).isGreaterThan(changed.getLast()).isLessThan(end);
                changed.add(cut);
            }
            cuts.stream().filter(cut -> cut >= end).forEach(changed::add);
            cuts = changed;
        }

        @Override
        public List<SizePoint> sizes(long tabletId, int count) {
            int from = (int) tabletId;
            int to = end(cuts.indexOf(from));
            double total = 0;
            for (int row = from; row < to; row++) {
                total += rows[row];
            }
            List<SizePoint> points = new ArrayList<>();
            double before = 0;
            int wanted = 1;
            for (int row = from; row < to; row++) {
                double share = before / total;
                if (share >= (double) wanted / count) {
                    points.add(new SizePoint(DrawnCluster.key(row), share));
                    wanted = (int) Math.floor(share * count) + 1;
                }
                before += rows[row];
            }
            return points;
        }

        @Override
        public List<KeySample> samples(long tabletId) {
            throw new AssertionError("the policy asks for no samples");
        }

        @Override
        public String toString() {
            return config + " " + cuts + " " + java.util.Arrays.toString(rows);
        }
    }
}
