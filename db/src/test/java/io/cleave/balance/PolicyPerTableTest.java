package io.cleave.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.ydb.YdbPolicy;
import io.cleave.balance.yt.DrawnCluster;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Bytes;
import io.cleave.schema.Balancer;
import io.cleave.schema.CellStage;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.YtTable;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

class PolicyPerTableTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int CLUSTERS = 300;

    /// Most cells run.
    private static final CellStage[] STAGES = {
        CellStage.RUNNING,
        CellStage.RUNNING,
        CellStage.RUNNING,
        CellStage.RUNNING,
        CellStage.DECOMMISSIONING,
        CellStage.DECOMMISSIONED,
        CellStage.INITIALIZING
    };

    private static final long WIDTH = 1000;

    private static final PolicyPerTable POLICIES =
            new PolicyPerTable(
                    new YdbPolicy(), new YtPolicy(ReshardOptions.DEFAULT, new MetricExpressions()));

    /// All numbers are keys of rows of the same size.
    private static final KeyFacts FACTS =
            new KeyFacts() {
                @Override
                public List<SizePoint> sizes(long tabletId, int count) {
                    List<SizePoint> points = new ArrayList<>();
                    for (int index = 1; index < count; index++) {
                        long number = tabletId * WIDTH + WIDTH * index / count;
                        points.add(new SizePoint(DrawnCluster.key(number), (double) index / count));
                    }
                    return points;
                }

                @Override
                public List<KeySample> samples(long tabletId) {
                    return List.of();
                }
            };

    @Test
    void noTableIsInTwoAnswers() {
        var random = new Random(SEED);
        int changes = 0;
        int notes = 0;
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            ClusterState state = cluster(random);
            Set<Long> seen = new HashSet<>();
            for (Balancer balancer : Balancer.values()) {
                Map<Long, List<Decision>> decisions =
                        POLICIES.decide(balancer, state, FACTS, BalanceSettings.DEFAULT);
                for (TableState table : state.tables()) {
                    List<Decision> own = decisions.get(table.table().id());
                    assertThat(own != null)
                            .as("-Dseed=%d: %s", SEED, table)
                            .isEqualTo(table.balancer() == balancer);
                    if (own == null) {
                        continue;
                    }
                    assertThat(seen.add(table.table().id())).as("-Dseed=%d", SEED).isTrue();
                    Set<Long> ids = new HashSet<>();
                    table.tablets().forEach(tablet -> ids.add(tablet.tabletId()));
                    for (Decision decision : own) {
                        assertThat(ids).as("-Dseed=%d", SEED).containsAll(decision.tabletIds());
                        if (decision instanceof Leave) {
                            notes++;
                        } else {
                            changes++;
                        }
                    }
                }
            }
        }
        // The clusters are worth a decision.
        assertThat(changes).isGreaterThan(CLUSTERS);
        assertThat(notes).isGreaterThan(CLUSTERS);
    }

    /// Neither a policy nor the rule for cells that are being removed does it.
    @Test
    void noTabletGoesToACellThatIsNotRunning() {
        var random = new Random(SEED);
        int moves = 0;
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            ClusterState state = cluster(random);
            Set<Long> running = new HashSet<>();
            state.running().forEach(cell -> running.add(cell.cellId()));
            List<Map<Long, List<Decision>>> answers = new ArrayList<>();
            answers.add(CellRemoval.decide(state));
            for (Balancer balancer : Balancer.values()) {
                answers.add(POLICIES.decide(balancer, state, FACTS, BalanceSettings.DEFAULT));
            }
            for (Map<Long, List<Decision>> answer : answers) {
                for (List<Decision> decisions : answer.values()) {
                    for (Decision decision : decisions) {
                        if (decision instanceof Move move) {
                            moves++;
                            assertThat(running).as("-Dseed=%d", SEED).contains(move.toCellId());
                        }
                    }
                }
            }
        }
        assertThat(moves).isGreaterThan(CLUSTERS / 10);
    }

    /// A tablet of such a cell moves within its bundle, or the answer says why it does not.
    @Test
    void everyTabletOfACellThatIsBeingRemovedIsDecidedAbout() {
        var random = new Random(SEED);
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            ClusterState state = cluster(random);
            Map<Long, CellMembership> cells = new HashMap<>();
            state.cells().forEach(cell -> cells.put(cell.cellId(), cell));
            Map<Long, List<Decision>> answer = CellRemoval.decide(state);
            for (TableState table : state.tables()) {
                List<Decision> decisions =
                        answer.getOrDefault(table.table().id(), List.<Decision>of());
                List<Long> leaving =
                        table.tablets().stream()
                                .filter(tablet -> isLeaving(cells.get(tablet.cellId())))
                                .map(TabletState::tabletId)
                                .toList();
                assertThat(decisions.stream().flatMap(each -> each.tabletIds().stream()))
                        .as("-Dseed=%d", SEED)
                        .containsExactlyElementsOf(leaving);
                for (Decision decision : decisions) {
                    boolean canGo = !state.bundle(table.bundle()).isEmpty();
                    assertThat(decision instanceof Move).isEqualTo(canGo);
                    if (decision instanceof Move move) {
                        assertThat(cells.get(move.toCellId()).bundle()).isEqualTo(table.bundle());
                    }
                }
            }
        }
    }

    private static boolean isLeaving(CellMembership cell) {
        return cell != null && cell.stage() == CellStage.DECOMMISSIONING;
    }

    @Test
    void aPolicyThatDecidesAboutATableOfTheOtherFails() {
        Policy greedy = (state, _, _) -> Map.of(state.tables().getFirst().table().id(), List.of());
        var policies = new PolicyPerTable(greedy, greedy);
        ClusterState state =
                new ClusterState(
                        List.of(new TableState(table(1), "default", Balancer.YT, List.of())),
                        List.of(),
                        List.of());
        assertThat(policies.decide(Balancer.YT, state, FACTS, BalanceSettings.DEFAULT)).hasSize(1);
        assertThatThrownBy(
                        () -> policies.decide(Balancer.YDB, state, FACTS, BalanceSettings.DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the policy ydb has decided about /local/t1");
    }

    @Test
    void aPolicyThatDecidesAboutATableThatIsNotThereFails() {
        var policies =
                new PolicyPerTable((_, _, _) -> Map.of(7L, List.of()), (_, _, _) -> Map.of());
        var empty = new ClusterState(List.of(), List.of(), List.of());
        assertThat(policies.decide(Balancer.YT, empty, FACTS, BalanceSettings.DEFAULT)).isEmpty();
        assertThatThrownBy(
                        () -> policies.decide(Balancer.YDB, empty, FACTS, BalanceSettings.DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the policy ydb has decided about tables that are not there");
    }

    private static ClusterState cluster(Random random) {
        List<CellMembership> cells = new ArrayList<>();
        List<BundleState> bundles = new ArrayList<>();
        int bundleCount = 1 + random.nextInt(3);
        int cellCount = bundleCount + random.nextInt(6);
        for (int bundle = 0; bundle < bundleCount; bundle++) {
            bundles.add(new BundleState("b" + bundle, Bytes.EMPTY));
        }
        for (int cell = 0; cell < cellCount; cell++) {
            CellStage stage = STAGES[random.nextInt(STAGES.length)];
            cells.add(new CellMembership(cell, "b" + cell % bundleCount, 1, stage));
        }
        List<TableState> tables = new ArrayList<>();
        long tabletId = 1;
        int tableCount = 1 + random.nextInt(8);
        for (int id = 1; id <= tableCount; id++) {
            Table table = table(id, random);
            int bundle = random.nextInt(bundleCount);
            List<TabletState> tablets = new ArrayList<>();
            int tabletCount = 1 + random.nextInt(6);
            for (int index = 0; index < tabletCount; index++) {
                tablets.add(tablet(tabletId++, index, tabletCount, bundle, bundleCount, random));
            }
            tables.add(new TableState(table, "b" + bundle, table.balancer(), tablets));
        }
        return new ClusterState(tables, cells, bundles);
    }

    private static TabletState tablet(
            long tabletId, int index, int count, int bundle, int bundleCount, Random random) {
        long bytes = (long) (Math.pow(random.nextDouble(), 6) * (40L << 30));
        double cores = Math.pow(random.nextDouble(), 4);
        MountState[] states = MountState.values();
        boolean isMounted = random.nextInt(4) > 0;
        return new TabletState(
                tabletId,
                // Rarely in a cell of another bundle, or of none.
                random.nextInt(20) == 0 ? random.nextInt(9) : bundle,
                new KeyRange(
                        index == 0 ? Bytes.EMPTY : DrawnCluster.key(tabletId * WIDTH),
                        index == count - 1 ? null : DrawnCluster.key((tabletId + 1) * WIDTH)),
                bytes,
                random.nextInt(3) == 0 ? 1 : 1000,
                cores,
                cores,
                cores,
                0,
                0,
                0,
                3_600_000,
                0,
                0,
                0,
                bytes / 2,
                random.nextBoolean() ? bytes : 0,
                isMounted ? MountState.MOUNTED : states[random.nextInt(states.length)],
                TabletCounters.NONE);
    }

    /// A table whose balancer was set or not, made through either API.
    private static Table table(long id, Random random) {
        TableOptions options =
                TableOptions.DEFAULT.with(
                        new Partitioning(random.nextBoolean(), 100, random.nextBoolean(), 1, 0));
        if (random.nextBoolean()) {
            options =
                    options.with(
                            new YtTable(
                                    random.nextBoolean(),
                                    Map.of(),
                                    YtTable.OTHER.settings(),
                                    YtTable.OTHER.states()));
        }
        if (random.nextBoolean()) {
            Balancer[] all = Balancer.values();
            options = options.withBalancer(Optional.of(all[random.nextInt(all.length)]));
        }
        return DrawnCluster.table(id, options);
    }

    private static Table table(long id) {
        return DrawnCluster.table(id, TableOptions.DEFAULT);
    }
}
