package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.cluster.CellLifecycle;
import io.cleave.cluster.TabletInfo;
import io.cleave.disk.Disk;
import io.cleave.log.LogException;
import io.cleave.schema.CellStage;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;
import io.cleave.txn.CommitOutcome.Committed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// Power is lost at each write, sync and deletion while cells are created and removed. The next
/// start finishes or undoes the step: every cell runs or is being emptied, and no log is left over.
///
/// Not all points each time: `-Dall` takes every one, `-Dseed` repeats a run, `-Dpoint` with it
/// goes to one point.
@ExtendWith(QuietUpkeep.class)
class CellCrashTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int SAMPLE = System.getProperty("all") == null ? 60 : Integer.MAX_VALUE;
    private static final String TABLE = "/local/t";
    private static final long ROWS = 8;

    @Test
    void aCrashAtAnyPointLeavesNoHalfMadeCell() {
        Long only = Long.getLong("point");
        if (only != null) {
            new Run(only).runAndCheck();
            return;
        }
        var whole = new Run(Long.MAX_VALUE);
        whole.work();
        assertThat(whole.gone).containsExactly(1L, 3L);
        long points = whole.disk.trace().size();
        long step = Math.max(1, points / Math.min(points, SAMPLE));
        for (long point = SEED % step; point < points; point += step) {
            new Run(point).runAndCheck();
        }
    }

    private static final class Run {
        private final SimulatedDisk disk = new SimulatedDisk();
        private final String when;
        private final Random random;

        /// Cells that were created, and cells that were removed, as was answered.
        private final Set<Long> made = new TreeSet<>();

        private final Set<Long> gone = new TreeSet<>();
        private final Set<Long> beingRemoved = new TreeSet<>();
        private final Map<Long, String> rows = new HashMap<>();

        Run(long point) {
            when = "-Dseed=%d -Dpoint=%d".formatted(SEED, point);
            random = new Random(SEED + point);
            disk.powerOffAt(point);
        }

        void work() {
            var env = new SimEnv(SEED);
            env.run(
                    () -> {
                        try {
                            var store = new DiskStore(disk, env, 2);
                            work(store);
                            store.close();
                        } catch (UncheckedIOException | LogException | StatusException _) {
                            assertThat(disk.isOff()).as(when).isTrue();
                        }
                    });
        }

        private void work(DiskStore store) {
            CellLifecycle lifecycle = store.tablets().cellLifecycle();
            store.createTable(TABLE, 4);
            write(store, "a");
            made.add(lifecycle.create("default"));
            empty(store, 1, 3);
            write(store, "b");
            remove(store, 1);
            made.add(lifecycle.create("default"));
            remove(store, 3);
            empty(store, 3, 4);
            write(store, "c");
            lifecycle.proceed();
            if (!view(store).cells().containsKey(3L)) {
                gone.add(3L);
            }
            write(store, "d");
        }

        private void remove(DiskStore store, long cellId) {
            beingRemoved.add(cellId);
            store.tablets().cellLifecycle().remove(cellId);
            if (!view(store).cells().containsKey(cellId)) {
                gone.add(cellId);
            }
        }

        private static void empty(DiskStore store, long from, long to) {
            for (TabletInfo tablet : tablets(store)) {
                if (tablet.cellId() == from) {
                    var _ = store.resharding().move(TABLE, tablet.tabletId(), to);
                }
            }
        }

        /// Each row in a transaction of its own, which is over when the next begins.
        private void write(DiskStore store, String text) {
            for (long row = 0; row < ROWS; row++) {
                long id = row * (Long.MAX_VALUE / ROWS);
                if (store.commit(TABLE, Map.of(id, text)) instanceof Committed) {
                    rows.put(id, text);
                } else {
                    rows.remove(id);
                }
            }
        }

        void runAndCheck() {
            try {
                work();
                SimulatedDisk found = disk.crash(random);
                found.powerOffAt(random.nextInt(30));
                open(found, false);
                open(found.crash(random), true);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(when, e);
            }
        }

        private void open(SimulatedDisk found, boolean isChecked) {
            var env = new SimEnv(random.nextLong());
            env.run(
                    () -> {
                        try (var store = new DiskStore(found, env, 2)) {
                            if (isChecked) {
                                check(store, found);
                            }
                        } catch (UncheckedIOException | LogException | StatusException e) {
                            assertThat(found.isOff()).as("%s %s", when, e).isTrue();
                        }
                    });
        }

        private void check(DiskStore store, Disk found) {
            CatalogView view = view(store);
            Set<Long> there = view.cells().keySet();
            assertThat(view.cells().values())
                    .as(when)
                    .isSubsetOf(CellStage.RUNNING, CellStage.DECOMMISSIONING);
            assertThat(gone).as(when).noneMatch(there::contains);
            Set<Long> kept = new TreeSet<>(made);
            kept.removeAll(beingRemoved);
            assertThat(kept).as(when).allMatch(there::contains);
            assertThat(logs(found)).as(when).isEqualTo(there);
            if (!rows.isEmpty()) {
                rows.forEach(
                        (id, text) ->
                                assertThat(store.get(TABLE, id))
                                        .as("%s row %d", when, id)
                                        .isNotNull()
                                        .isGreaterThanOrEqualTo(text));
            }
            long fresh = store.tablets().cellLifecycle().create("default");
            assertThat(fresh).as(when).isGreaterThan(made.stream().max(Long::compare).orElse(2L));
        }

        /// The user cells that have segments of logs.
        private static Set<Long> logs(Disk found) {
            Set<Long> ids = new TreeSet<>();
            try {
                Path cells = DiskStore.ROOT.resolve("cells");
                for (String name : found.list(cells)) {
                    Path log = cells.resolve(name).resolve("log");
                    boolean hasSegments =
                            found.exists(log)
                                    && found.list(log).stream()
                                            .anyMatch(file -> file.endsWith(".log"));
                    if (!name.equals("0") && hasSegments) {
                        ids.add(Long.valueOf(name));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return ids;
        }

        private static List<TabletInfo> tablets(DiskStore store) {
            return store.tablets().infos(store.tree().find(TABLE).orElseThrow());
        }

        private static CatalogView view(DiskStore store) {
            return store.tablets().held().view();
        }
    }
}
