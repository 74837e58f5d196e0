package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.tablet.Cell;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/// Tablets are cut, merged and moved, and are where they were put after a restart.
class ReshardingTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private final RandomGenerator random = new Random(SEED);
    private final TabletBench bench = new TabletBench(3);

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aTabletIsCutAtAnyKeys() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        SortedMap<Long, String> rows = bench.rows();
        long kept = bench.tabletId(1);
        List<TabletInfo> children = split(95, 3, 50);
        assertThat(bench.layout()).isEqualTo("-@1.2 3@1.2 50@1.2 95@1.2 100@2.1");
        assertThat(children).hasSize(4).allSatisfy(child -> assertThat(child.rows()).isLessThan(9));
        assertThat(bench.tabletId(4)).isEqualTo(kept);
        split(200, 60);
        assertThat(bench.layout()).isEqualTo("-@1.2 3@1.2 50@1.3 60@1.3 95@1.2 100@2.2 200@2.2");
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.restart();
        assertThat(bench.layout()).isEqualTo("-@1.2 3@1.2 50@1.3 60@1.3 95@1.2 100@2.2 200@2.2");
        assertThat(bench.rows()).isEqualTo(rows);
    }

    @Test
    void whereATabletBeginsItCannotBeCut() {
        bench.create(TabletBench.PATH, 100);
        assertRefused(() -> split(50, 100), Status.BAD_REQUEST, "already begins at the key 100");
        assertRefused(
                () -> bench.store.resharding().split(TabletBench.PATH, List.of(Bytes.EMPTY)),
                Status.BAD_REQUEST,
                "already");
        assertThat(bench.layout()).isEqualTo("-@1.1 100@2.1");
        assertRefused(
                () -> bench.store.resharding().split("/local/none", List.of(TabletBench.key(1))),
                Status.SCHEME_ERROR,
                "does not exist");
    }

    @Test
    void anotherTableAtThePathIsNotCut() {
        bench.create(TabletBench.PATH, 100);
        Table seen = bench.store.tablets().table(TabletBench.PATH);
        bench.store.tree().dropTable(TabletBench.PATH, false);
        bench.create(TabletBench.PATH, 100);
        assertRefused(
                () -> bench.store.resharding().split(seen, List.of(TabletBench.key(50))),
                Status.ABORTED,
                "was replaced while the request ran");
        assertThat(bench.tablets()).hasSize(2);
    }

    @Test
    void aTabletIsCutInHalves() {
        bench.create(TabletBench.PATH);
        assertRefused(
                () -> bench.store.resharding().split("t", bench.tabletId(0)),
                Status.BAD_REQUEST,
                "too few rows");
        bench.write(0, 100, "x".repeat(5_000));
        bench.store.resharding().split("t", bench.tabletId(0));
        assertThat(bench.tablets()).hasSize(2);
        assertThat(bench.layout()).matches("-@1.2 (4|5)\\d@1.2");
        assertRefused(
                () -> bench.store.resharding().split("t", 7), Status.NOT_FOUND, "has no tablet 7");
    }

    @Test
    void neighboursBecomeOneInTheCellOfTheLargest() {
        bench.create(TabletBench.PATH, 100, 200, 300);
        bench.write(90, 210, "x");
        SortedMap<Long, String> rows = bench.rows();
        assertThat(bench.layout()).isEqualTo("-@1.1 100@2.1 200@3.1 300@1.1");
        List<Long> ids = bench.tablets().stream().map(TabletInfo::tabletId).toList();
        TabletInfo merged =
                bench.store.resharding().merge("t", List.of(ids.get(2), ids.get(0), ids.get(1)));
        assertThat(merged.cellId()).isEqualTo(2);
        // Those that were moved had the epoch 2 then.
        assertThat(bench.layout()).isEqualTo("-@2.3 300@1.1");
        assertThat(bench.held()).containsExactly(1, 1, 0);
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.restart();
        assertThat(bench.layout()).isEqualTo("-@2.3 300@1.1");
        assertThat(bench.held()).containsExactly(1, 1, 0);
        assertThat(bench.rows()).isEqualTo(rows);
    }

    @Test
    void othersThanNeighboursAreNotMerged() {
        bench.create(TabletBench.PATH, 100, 200);
        assertRefused(
                () ->
                        bench.store
                                .resharding()
                                .merge("t", List.of(bench.tabletId(0), bench.tabletId(2))),
                Status.BAD_REQUEST,
                "tablet " + bench.tabletId(1) + " lies between them");
        assertRefused(
                () ->
                        bench.store
                                .resharding()
                                .merge("t", List.of(bench.tabletId(0), bench.tabletId(0))),
                Status.BAD_REQUEST,
                "at least two tablets");
        assertRefused(
                () -> bench.store.resharding().merge("t", List.of(bench.tabletId(0), 5L)),
                Status.NOT_FOUND,
                "no tablet 5");
    }

    @Test
    void aTabletIsMovedWithItsRows() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        bench.store.cell(1).structure().flush(List.of(bench.tabletId(0)));
        bench.write(80, 95, "y");
        SortedMap<Long, String> rows = bench.rows();
        int files = bench.store.userBlobs().list().size();
        TabletInfo moved = bench.store.resharding().move("t", bench.tabletId(0), 3);
        assertThat(moved.cellId()).isEqualTo(3);
        assertThat(bench.layout()).isEqualTo("-@3.2 100@2.1");
        assertThat(bench.held()).containsExactly(0, 1, 1);
        assertThat(bench.store.userBlobs().list()).hasSize(files);
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.restart();
        assertThat(bench.layout()).isEqualTo("-@3.2 100@2.1");
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.resharding().move("t", bench.tabletId(0), 3);
        assertThat(bench.layout()).isEqualTo("-@3.2 100@2.1");
        bench.store.resharding().move("t", bench.tabletId(0), 1);
        bench.store.tablets().compact("t");
        assertThat(bench.layout()).isEqualTo("-@1.3 100@2.1");
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.tree().dropTable(TabletBench.PATH, false);
        assertThat(bench.store.userBlobs().list()).isEmpty();
    }

    @Test
    void countersOnlyGrow() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        assertThat(bench.store.tablets().traffic().rowUpdates()).isEqualTo(20);
        split(50);
        bench.store.resharding().move("t", bench.tabletId(0), 2);
        bench.write(90, 110, "x");
        assertThat(bench.store.tablets().traffic().rowUpdates()).isEqualTo(40);
        bench.store.resharding().merge("t", List.of(bench.tabletId(0), bench.tabletId(1)));
        bench.store.tree().dropTable(TabletBench.PATH, false);
        assertThat(bench.store.tablets().traffic().rowUpdates()).isEqualTo(40);
    }

    @Test
    void aTabletStaysInItsBundle() {
        bench.store.resharding().putBundle("fast", List.of(3L));
        bench.create(TabletBench.PATH, Map.of("tablet_cell_bundle", "fast"));
        long id = bench.tabletId(0);
        assertRefused(
                () -> bench.store.resharding().move("t", id, 1),
                Status.BAD_REQUEST,
                "cell 1 is not in the bundle 'fast' of /local/t, which has the cells 3");
        assertRefused(
                () -> bench.store.resharding().move("t", id, 9),
                Status.BAD_REQUEST,
                "there is no cell 9");
    }

    @Test
    void aMergeGoesToTheBundle() {
        bench.store.resharding().putBundle("fast", List.of(3L));
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        SortedMap<Long, String> rows = bench.rows();
        var bundle = new TableChange.SetAttributes(Map.of("tablet_cell_bundle", "fast"));
        bench.store.tree().alterTable(TabletBench.PATH, List.of(bundle));
        assertThat(bench.layout()).isEqualTo("-@1.1 100@2.1");
        bench.store.resharding().merge("t", List.of(bench.tabletId(0), bench.tabletId(1)));
        assertThat(bench.layout()).isEqualTo("-@3.3");
        assertThat(bench.rows()).isEqualTo(rows);
    }

    @Test
    void changesGoOnWithoutTheCatalogAndItHearsOfThemAtTheNextStart() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        SortedMap<Long, String> rows = bench.rows();
        bench.store.system().close();
        split(50);
        bench.store.resharding().move("t", bench.tabletId(2), 3);
        assertThat(bench.layout()).isEqualTo("-@1.2 50@1.2 100@3.2");
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.restart();
        assertThat(bench.layout()).isEqualTo("-@1.2 50@1.2 100@3.2");
        assertThat(bench.rows()).isEqualTo(rows);
    }

    /// Writers, readers and those who change the table, all at once, for a while.
    @Test
    void readersAndWritersGoOnWhileTabletsChange() {
        bench.create(TabletBench.PATH, 100);
        bench.write(0, 200, "0");
        var stop = new AtomicBoolean();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> clients = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            int number = writer;
            clients.add(
                    start(
                            failures,
                            () -> {
                                for (int round = 1; !stop.get(); round++) {
                                    for (long id = number; id < 200; id += 2) {
                                        bench.write(id, "" + round);
                                    }
                                }
                            }));
        }
        clients.add(
                start(
                        failures,
                        () -> {
                            while (!stop.get()) {
                                assertThat(bench.rows()).hasSize(200);
                            }
                        }));
        clients.add(
                start(
                        failures,
                        () -> {
                            while (!stop.get()) {
                                bench.store.tablets().compact("t");
                            }
                        }));
        for (int change = 0; change < 25; change++) {
            changeSomething();
        }
        stop.set(true);
        clients.forEach(ReshardingTest::join);
        assertThat(failures).as("-Dseed=" + SEED).isEmpty();
        SortedMap<Long, String> rows = bench.rows();
        assertThat(rows).hasSize(200);
        String layout = bench.layout();
        bench.store.restart();
        assertThat(bench.layout()).isEqualTo(layout);
        assertThat(bench.rows()).isEqualTo(rows);
        bench.store.tree().dropTable(TabletBench.PATH, false);
        assertThat(bench.store.userBlobs().list()).isEmpty();
    }

    @Test
    void settingsReachTabletsThatAreBeingChanged() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        var stop = new AtomicBoolean();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread altering =
                start(
                        failures,
                        () -> {
                            for (boolean on = true; !stop.get(); on = !on) {
                                var filter = new TableChange.SetKeyBloomFilter(on);
                                bench.store.tree().alterTable(TabletBench.PATH, List.of(filter));
                            }
                        });
        for (int change = 0; change < 25; change++) {
            changeSomething();
        }
        stop.set(true);
        join(altering);
        assertThat(failures).as("-Dseed=" + SEED).isEmpty();
        boolean filter = bench.table().options().keyBloomFilter().orElseThrow();
        assertThat(bench.store.cells())
                .flatExtracting(Cell::tablets)
                .allSatisfy(tablet -> assertThat(tablet.settings().keyFilter()).isEqualTo(filter));
    }

    private void changeSomething() {
        List<TabletInfo> tablets = bench.tablets();
        int index = random.nextInt(tablets.size());
        TabletInfo tablet = tablets.get(index);
        int kind = random.nextInt(3);
        if (tablets.size() > 6 || (kind == 0 && tablets.size() > 1)) {
            int first = Math.min(index, tablets.size() - 2);
            bench.store
                    .resharding()
                    .merge(
                            "t",
                            List.of(
                                    tablets.get(first).tabletId(),
                                    tablets.get(first + 1).tabletId()));
        } else if (kind == 1) {
            bench.store.resharding().move("t", tablet.tabletId(), 1 + random.nextInt(3));
        } else {
            Bytes key = TabletBench.key(random.nextInt(200));
            if (tablets.stream().noneMatch(each -> each.range().from().equals(key))) {
                bench.store.resharding().split("t", List.of(key));
            }
        }
    }

    @Test
    void aDropWinsOverMoves() {
        for (int round = 0; round < 5; round++) {
            bench.create(TabletBench.PATH, 100);
            bench.write(90, 110, "x");
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            Thread mover =
                    start(
                            failures,
                            () -> {
                                for (long cell = 1; ; cell = cell % 3 + 1) {
                                    bench.store.resharding().move("t", bench.tabletId(0), cell);
                                }
                            });
            bench.store.tree().dropTable(TabletBench.PATH, false);
            join(mover);
            assertThat(failures).hasSize(1);
            assertThat(failures.getFirst())
                    .satisfiesAnyOf(
                            e -> assertThat(e).isInstanceOf(NoSuchElementException.class),
                            e ->
                                    assertThat(e)
                                            .isInstanceOfSatisfying(
                                                    StatusException.class,
                                                    s ->
                                                            assertThat(s.status())
                                                                    .isEqualTo(
                                                                            Status.SCHEME_ERROR)));
            assertThat(bench.held()).containsExactly(0, 0, 0);
            assertThat(bench.store.userBlobs().list()).isEmpty();
        }
    }

    private List<TabletInfo> split(long... keys) {
        List<Bytes> all = new ArrayList<>();
        for (long key : keys) {
            all.add(TabletBench.key(key));
        }
        return bench.store.resharding().split(TabletBench.PATH, all);
    }

    private static Thread start(List<Throwable> failures, Runnable body) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                body.run();
                            } catch (Throwable e) {
                                failures.add(e);
                            }
                        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertRefused(Runnable change, Status status, String why) {
        assertThatThrownBy(change::run)
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status()).isEqualTo(status))
                .hasMessageContaining(why);
    }
}
