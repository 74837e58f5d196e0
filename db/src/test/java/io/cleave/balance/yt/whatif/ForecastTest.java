package io.cleave.balance.yt.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.DrawnCluster;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Bytes;
import io.cleave.schema.Balancer;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.Test;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/// Random clusters whose rows are known: what was predicted is compared with what comes of the same
/// changes of the rows.
class ForecastTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int CLUSTERS = 300;
    private static final long ROW_BYTES = 1 << 20;

    @Test
    void predictedTabletsAreAboutAsLargeAsRealOnes() {
        var seeds = new Random(SEED);
        int reshards = 0;
        int moves = 0;
        for (int number = 0; number < CLUSTERS; number++) {
            long seed = seeds.nextLong();
            var model = new Model(new Random(seed));
            Forecast forecast = model.forecast();
            forecast.rounds().forEach(round -> round.changes().forEach(model::carryOut));
            BundleFigures real = BundleFigures.of(model.state(), "b");
            String story = "-Dseed=%d: %s".formatted(SEED, model);
            assertThat(forecast.isAtRest()).as(story).isTrue();
            assertThat(forecast.after().tabletCount()).as(story).isEqualTo(real.tabletCount());
            // A cut is known to a thousandth of the tablet that is cut.
            double unit = 0.01 * model.totalBytes();
            BundleFigures.Sizes sizes = forecast.after().tables().get("/local/t1");
            BundleFigures.Sizes realSizes = real.tables().get("/local/t1");
            assertThat((double) sizes.min()).as(story).isCloseTo(realSizes.min(), within(unit));
            assertThat((double) sizes.max()).as(story).isCloseTo(realSizes.max(), within(unit));
            real.cells()
                    .forEach(
                            (cell, load) -> {
                                BundleFigures.Load predicted = forecast.after().cells().get(cell);
                                assertThat(predicted.tablets()).as(story).isEqualTo(load.tablets());
                                assertThat((double) predicted.bytes())
                                        .as(story)
                                        .isCloseTo(load.bytes(), within(2 * unit));
                            });
            reshards += forecast.sum().reshards();
            moves += forecast.sum().moved().tablets();
        }
        // The clusters are worth a plan.
        assertThat(reshards).isGreaterThan(CLUSTERS / 2);
        assertThat(moves).isGreaterThan(CLUSTERS / 2);
    }

    @Test
    void aQuestionThatSupposesNothingFindsTheClusterAsItIs() {
        var model = new Model(new Random(SEED));
        WhatIf question = new WhatIf("b", List.of(), OptionalInt.of(3), Optional.empty(), 1);
        Forecast forecast = model.forecaster().answer(question, model.state(), model);
        assertThat(forecast.before()).isEqualTo(BundleFigures.of(model.state(), "b"));
        assertThat(forecast.before().cells()).hasSize(3);
        assertThat(forecast.departures()).isEmpty();
    }

    /// A table with rows of equal size at the numbers from 0 on.
    private static final class Model implements KeyFacts {
        private final int rows;
        private final String config;
        private final List<Tablet> tablets = new ArrayList<>();

        /// The rows from `from` to `to` (excluded).
        private record Tablet(long id, long cellId, int from, int to) {
            long bytes() {
                return (to - from) * ROW_BYTES;
            }
        }

        private long nextId = 101;

        Model(Random random) {
            rows = 1000 + random.nextInt(30_000);
            config =
                    random.nextBoolean()
                            ? "{desired_tablet_count=%d}".formatted(1 + random.nextInt(12))
                            : "{min_tablet_size=%1$d;desired_tablet_size=%2$d;max_tablet_size=%3$d}"
                                    .formatted(500 * ROW_BYTES, 1500 * ROW_BYTES, 3000 * ROW_BYTES);
            int from = 0;
            while (from < rows) {
                int to =
                        Math.min(
                                rows, from + 1 + random.nextInt(random.nextBoolean() ? 300 : 9000));
                tablets.add(new Tablet(nextId, 1 + random.nextInt(3), from, to));
                nextId++;
                from = to;
            }
        }

        @Override
        public String toString() {
            return config + " " + tablets;
        }

        double totalBytes() {
            return rows * (double) ROW_BYTES;
        }

        Forecaster forecaster() {
            var policy = new YtPolicy(new ReshardOptions(0, false, true), new MetricExpressions());
            return new Forecaster(
                    (state, facts) -> policy.decide(state, facts, BalanceSettings.DEFAULT),
                    ZoneOffset.UTC);
        }

        Forecast forecast() {
            return forecaster().answer(WhatIf.now("b", 50), state(), this);
        }

        ClusterState state() {
            var settings = new TreeMap<String, Bytes>();
            settings.put("tablet_balancer_config", binary(config));
            var yt = new YtTable(true, Map.of(), settings, MountStates.MOUNTED);
            Table table = DrawnCluster.table(1, TableOptions.DEFAULT.with(yt));
            List<TabletState> states = new ArrayList<>();
            for (Tablet tablet : tablets) {
                var range =
                        new KeyRange(
                                tablet.from == 0 ? Bytes.EMPTY : DrawnCluster.key(tablet.from),
                                tablet.to == rows ? null : DrawnCluster.key(tablet.to));
                states.add(
                        DrawnCluster.tablet(
                                tablet.id,
                                tablet.cellId,
                                range,
                                tablet.bytes(),
                                tablet.to - tablet.from,
                                tablet.bytes() / 2,
                                0,
                                MountState.MOUNTED,
                                TabletCounters.NONE));
            }
            return new ClusterState(
                    List.of(new TableState(table, "b", Balancer.YT, states)),
                    List.of(
                            new CellMembership(1, "b", 1),
                            new CellMembership(2, "b", 1),
                            new CellMembership(3, "b", 1)),
                    List.of(
                            new BundleState(
                                    "b",
                                    binary(
                                            "{tablet_balancer_config="
                                                    + "{enable_cell_balancer=%true}}"))));
        }

        private static Bytes binary(String text) {
            YsonNode node = YsonNode.parse(Bytes.utf8(text)).orElseThrow();
            return YsonWriter.write(node, YsonWriter.Format.BINARY);
        }

        void carryOut(Forecast.Change change) {
            List<Long> ids = tablets.stream().map(Tablet::id).toList();
            int first = ids.indexOf(change.decision().tabletIds().getFirst());
            if (change.decision() instanceof Move move) {
                Tablet old = tablets.get(first);
                tablets.set(first, new Tablet(old.id, move.toCellId(), old.from, old.to));
            } else {
                carryOut((Reshard) change.decision(), first);
            }
        }

        private void carryOut(Reshard reshard, int first) {
            List<Tablet> old = tablets.subList(first, first + reshard.tabletIds().size());
            List<Tablet> made = new ArrayList<>();
            int from = old.getFirst().from;
            for (int piece = 0; piece <= reshard.keys().size(); piece++) {
                boolean isLast = piece == reshard.keys().size();
                int to =
                        isLast
                                ? old.getLast().to
                                : Integer.parseInt(DrawnCluster.text(reshard.keys().get(piece)));
                made.add(new Tablet(nextId, cell(old, from, to), from, to));
                nextId++;
                from = to;
            }
            old.clear();
            tablets.addAll(first, made);
        }

        /// The cell of the tablet that has most of the rows.
        private static long cell(List<Tablet> old, int from, int to) {
            int most = 0;
            long cellId = old.getFirst().cellId;
            for (Tablet tablet : old) {
                int common = Math.min(to, tablet.to) - Math.max(from, tablet.from);
                if (common > most) {
                    most = common;
                    cellId = tablet.cellId;
                }
            }
            return cellId;
        }

        @Override
        public List<SizePoint> sizes(long tabletId, int count) {
            Tablet tablet =
                    tablets.stream().filter(each -> each.id == tabletId).findFirst().orElseThrow();
            int size = tablet.to - tablet.from;
            List<SizePoint> points = new ArrayList<>();
            for (int index = 1; index < count; index++) {
                int row = tablet.from + (int) ((long) size * index / count);
                Bytes key = DrawnCluster.key(row);
                if (row > tablet.from
                        && (points.isEmpty() || !points.getLast().key().equals(key))) {
                    points.add(new SizePoint(key, (row - tablet.from) / (double) size));
                }
            }
            return points;
        }

        @Override
        public List<KeySample> samples(long tabletId) {
            return List.of();
        }
    }
}
