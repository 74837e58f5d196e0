package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.LogCursor;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.FullDisk;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

class CellUpkeepTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final CellOptions TINY =
            new CellOptions(8 << 10, 32 << 10, 16 << 10, 24 << 10, 10_000);

    @Test
    void aRestartReplaysNoMoreThanItShould() {
        CellRig.run(
                SEED,
                TINY,
                rig -> {
                    var random = new Random(SEED);
                    for (long tabletId = 1; tabletId <= 5; tabletId++) {
                        rig.createTablet(tabletId);
                    }
                    rig.write(1, "seldom", "written");
                    Map<String, String> model = new TreeMap<>();
                    for (int commit = 0; commit < 2_000; commit++) {
                        String key = "k" + random.nextInt(1000);
                        String value = "v".repeat(random.nextInt(300)) + commit;
                        rig.write(2 + random.nextInt(4), key, value);
                        model.put(key, value);
                        assertThat(logBytes(rig)).as("-Dseed=%d", SEED).isLessThan(32 << 10);
                    }
                    rig.restart();
                    assertThat(rig.rows(1)).isEqualTo(Map.of("seldom", "written"));
                    Map<String, String> found = new TreeMap<>();
                    for (long tabletId = 2; tabletId <= 5; tabletId++) {
                        found.putAll(rig.rows(tabletId));
                    }
                    assertThat(found.keySet()).isEqualTo(model.keySet());
                });
    }

    /// The log may keep more than was asked for: it gives up whole segments only.
    @Test
    void aLogThatWasLongAtTheStartHoldsNobodyUp() {
        CellRig.run(
                SEED,
                CellOptions.DEFAULT,
                rig -> {
                    rig.createTablet(1);
                    rig.createTablet(2);
                    fill(rig, 1, 100_000);
                    fill(rig, 2, 100_000);
                    rig.restart(TINY);
                    long started = rig.env.nanoTime();
                    fill(rig, 1, 1_000);
                    assertThat(rig.env.nanoTime() - started).isLessThan(1_000_000_000);
                });
    }

    private static long logBytes(CellRig rig) {
        long bytes = 0;
        try (LogCursor cursor = rig.log.read(rig.log.firstPosition())) {
            while (cursor.next()) {
                bytes += cursor.record().length();
            }
        }
        return bytes;
    }

    @Test
    void theLargestMemtableOfAllCellsIsFlushed() {
        CellRig.run(
                SEED,
                TINY,
                rig -> {
                    CellRig other = rig.beside(2);
                    rig.createTablet(1);
                    other.createTablet(2);
                    fillUpTo(rig, 1, 5_000);
                    fillUpTo(other, 2, 2_000);
                    rig.pass(Duration.ofSeconds(1));
                    assertThat(rig.cell.tablet(1).tree().activeBytes()).isPositive();
                    assertThat(other.cell.tablet(2).tree().activeBytes()).isPositive();
                    fillUpTo(other, 2, 4_000);
                    rig.pass(Duration.ofSeconds(1));
                    assertThat(rig.cell.tablet(1).tree().activeBytes()).isZero();
                    assertThat(other.cell.tablet(2).tree().activeBytes()).isPositive();
                    other.cell.close();
                });
    }

    /// Two tablets share a blob; it goes with the later one, and not before that is durable.
    @Test
    void aSharedBlobLivesAsLongAsItsLastSlice() {
        CellRig.run(
                SEED,
                TINY,
                rig -> {
                    rig.createTablet(1);
                    rig.createTablet(2);
                    rig.write(1, "a", "1");
                    rig.cell.structure().compact(List.of(1L));
                    List<Slice> slices = rig.cell.tablet(1).tree().slices();
                    rig.cell.journal().run(new Compacted(2, List.of(), slices));
                    assertThat(rig.blobs.list()).hasSize(1);
                    rig.cell.structure().drop(List.of(1L));
                    assertThat(rig.rows(2)).isEqualTo(Map.of("a", "1"));
                    rig.restart();
                    assertThat(rig.rows(2)).isEqualTo(Map.of("a", "1"));
                    rig.cell.journal().run(new Compacted(2, slices, List.of()));
                    assertThat(rig.blobs.list()).isEmpty();
                });
    }

    @Test
    void aBlobThatNobodyNamesIsGoneAfterARestart() {
        CellRig.run(
                SEED,
                TINY,
                rig -> {
                    rig.createTablet(1);
                    rig.write(1, "a", "1");
                    rig.cell.structure().compact(List.of(1L));
                    try (var orphan = rig.blobs.create()) {
                        orphan.seal();
                    }
                    assertThat(rig.blobs.list()).hasSize(2);
                    rig.restart();
                    assertThat(rig.blobs.list()).hasSize(1);
                    assertThat(rig.rows(1)).isEqualTo(Map.of("a", "1"));
                });
    }

    @Test
    void aManualCompactionBringsEverythingToTheLastLevel() {
        CellRig.run(
                SEED,
                TINY,
                rig -> {
                    rig.createTablet(1);
                    for (int round = 0; round < 3; round++) {
                        rig.write(1, Map.of("a", "a" + round, "b", "b" + round));
                        rig.cell.structure().compact(List.of(1L));
                    }
                    rig.erase(1, "a");
                    rig.cell.structure().compact(List.of(1L, 99L));
                    List<Slice> slices = rig.cell.tablet(1).tree().slices();
                    assertThat(slices).hasSize(1);
                    assertThat(slices.getFirst().rows()).isEqualTo(1);
                    assertThat(rig.rows(1)).isEqualTo(Map.of("b", "b2"));
                    rig.cell.structure().compact(List.of(1L));
                    assertThat(rig.cell.tablet(1).tree().slices()).isEqualTo(slices);
                    assertThat(rig.blobs.list()).hasSize(1);
                });
    }

    @Test
    void aFullDiskRefusesWritesAndNothingElse() {
        var disk = new FullDisk(new MemoryBlobs());
        CellRig.run(
                SEED,
                TINY,
                disk,
                rig -> {
                    rig.createTablet(1);
                    rig.write(1, "before", "1");
                    disk.setFull(true);
                    Status refusal = null;
                    for (int commit = 0; refusal == null; commit++) {
                        try {
                            rig.write(1, "k" + commit, "v".repeat(1000));
                        } catch (StatusException e) {
                            refusal = e.status();
                            assertThat(e).hasMessageContaining("No space left on device");
                        }
                    }
                    assertThat(refusal).isEqualTo(Status.UNAVAILABLE);
                    assertThat(rig.rows(1)).containsEntry("before", "1").containsKey("k0");
                    assertThatThrownBy(() -> rig.cell.structure().compact(List.of(1L)))
                            .isInstanceOf(StatusException.class);
                    Map<String, String> rows = rig.rows(1);

                    disk.setFull(false);
                    rig.pass(Duration.ofSeconds(10));
                    rig.write(1, "after", "2");
                    rows.put("after", "2");
                    assertThat(rig.rows(1)).isEqualTo(rows);
                    rig.restart();
                    assertThat(rig.rows(1)).isEqualTo(rows);
                });
    }

    /// The disk takes nothing while the writer waits, and there is no failure either. The limits
    /// are some chunks of a memtable apart: one of them cannot lead from no delay to the end.
    @Test
    void aWriterThatIsTooFastIsSlowedDownAndThenRefused() {
        CellRig.run(
                SEED,
                new CellOptions(1 << 20, 32 << 20, 1 << 20, 6 << 20, 10_000),
                rig -> {
                    rig.createTablet(1);
                    takeAllSlots(rig);
                    long started = rig.env.nanoTime();
                    long beforeLast = started;
                    int commits = 0;
                    StatusException refusal = null;
                    while (refusal == null) {
                        beforeLast = rig.env.nanoTime();
                        try {
                            commitLarge(rig);
                            commits++;
                        } catch (StatusException e) {
                            refusal = e;
                        }
                    }
                    assertThat(refusal.status()).isEqualTo(Status.OVERLOADED);
                    assertThat(refusal).hasMessageContaining("try again later");
                    assertThat(commits).isBetween(500, 2_000);
                    assertThat(beforeLast - started).as("delays").isGreaterThan(1_000_000);
                    assertThat(rig.env.nanoTime() - beforeLast)
                            .as("the wait before it is refused")
                            .isGreaterThanOrEqualTo(10_000_000_000L);
                    rig.background.slots().giveBack();
                    rig.background.slots().giveBack();
                    rig.pass(Duration.ofSeconds(2));
                    commitLarge(rig);
                });
    }

    private static void commitLarge(CellRig rig) {
        Bytes key = Bytes.utf8("k" + rig.env.random().nextInt(100_000));
        var _ = rig.commit(1, List.of(new KeyedChange(key, CellRig.change("v".repeat(4_000)))));
    }

    private static void takeAllSlots(CellRig rig) {
        try {
            rig.background.slots().takeForFlush();
            rig.background.slots().takeForFlush();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void settingsCanChangeWhileTheTabletIsWritten() {
        CellRig.run(
                SEED,
                TINY,
                rig -> {
                    rig.createTablet(1);
                    fill(rig, 1, 20_000);
                    var filtered = new TreeSettings(List.of(StoredFamily.DEFAULT), true, null);
                    rig.cell.structure().configure(List.of(1L), filtered);
                    Map<String, String> rows = rig.rows(1);
                    rig.cell.structure().compact(List.of(1L));
                    assertThat(rig.rows(1)).isEqualTo(rows);
                });
    }

    private static void fillUpTo(CellRig rig, long tabletId, long memtableBytes) {
        while (rig.cell.tablet(tabletId).tree().activeBytes() < memtableBytes) {
            fill(rig, tabletId, 100);
        }
    }

    /// Commits of about a hundred bytes each.
    private static void fill(CellRig rig, long tabletId, int bytes) {
        for (int written = 0; written < bytes; written += 100) {
            List<KeyedChange> changes = new ArrayList<>();
            String key = "k" + rig.env.random().nextInt(100_000);
            changes.add(new KeyedChange(Bytes.utf8(key), CellRig.change("v".repeat(80))));
            var _ = rig.commit(tabletId, changes);
        }
    }
}
