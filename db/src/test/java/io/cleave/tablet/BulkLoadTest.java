package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.table.Slice;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Broken;
import io.cleave.tablet.record.CommitResult.Done;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class BulkLoadTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final CellOptions OPTIONS = CellOptions.DEFAULT;

    @Test
    void rowsAreVisibleAtOnceAndToLaterSnapshotsOnly() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    long before = rig.cell.timeline().take();
                    BulkLoad load = load(rig, Map.of("a", "1", "b", "2"));
                    assertThat(rig.rows(1)).isEmpty();
                    assertThat(load.finish()).isInstanceOf(Done.class);
                    assertThat(rig.rows(1, before)).isEmpty();
                    Map<String, String> rows = Map.of("a", "1", "b", "2");
                    assertThat(rig.rows(1)).isEqualTo(rows);
                    rig.restart();
                    assertThat(rig.rows(1)).isEqualTo(rows);
                    rig.cell.structure().compact(List.of(1L));
                    assertThat(rig.rows(1)).isEqualTo(rows);
                });
    }

    @Test
    void wholeRowsNeedNoChangesToBeEncoded() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    BulkLoad load = rig.cell.bulkLoad(1);
                    byte[][] cells = {Bytes.utf8("1").array()};
                    load.add(Bytes.utf8("a"), CellRig.VALUE, cells);
                    load.add(Bytes.utf8("b"), CellRig.VALUE, cells);
                    assertThat(load.finish()).isInstanceOf(Done.class);
                    assertThat(rig.rows(1)).isEqualTo(Map.of("a", "1", "b", "1"));
                });
    }

    @Test
    void filesGoToTheLowestLevelThatIsFree() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    assertThat(load(rig, Map.of("a", "1", "b", "2")).finish())
                            .isInstanceOf(Done.class);
                    assertThat(load(rig, Map.of("c", "3")).finish()).isInstanceOf(Done.class);
                    assertThat(rig.cell.tablet(1).tree().slices().stream().map(Slice::level))
                            .containsExactly(6, 6);
                    assertThat(load(rig, Map.of("b", "4")).finish()).isInstanceOf(Done.class);
                    assertThat(rig.rows(1)).isEqualTo(Map.of("a", "1", "b", "4", "c", "3"));
                });
    }

    /// What others wrote meanwhile is older than the load, in memory or on level 0.
    @Test
    void aLoadIsNewerThanWhatWasWrittenBeforeItEnded() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    rig.write(1, Map.of("a", "0", "z", "0"));
                    BulkLoad load = load(rig, Map.of("a", "1", "b", "2"));
                    rig.write(1, "b", "meanwhile");
                    assertThat(load.finish()).isInstanceOf(Done.class);
                    rig.write(1, "zz", "after");
                    Map<String, String> rows = new TreeMap<>();
                    rows.putAll(Map.of("a", "1", "b", "2", "z", "0", "zz", "after"));
                    assertThat(rig.rows(1)).isEqualTo(rows);
                    rig.write(1, "a", "after");
                    rows.put("a", "after");
                    assertThat(rig.rows(1)).isEqualTo(rows);
                    rig.restart();
                    assertThat(rig.rows(1)).isEqualTo(rows);
                    rig.cell.structure().compact(List.of(1L));
                    assertThat(rig.rows(1)).isEqualTo(rows);
                });
    }

    @Test
    void aReaderOfTheRangeFindsItsLockBroken() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    Tablet tablet = rig.cell.tablet(1);
                    long snapshot = rig.cell.timeline().take();
                    var before = new ReadLocks();
                    var after = new ReadLocks();
                    assertThat(tablet.lock(before, Bytes.utf8("a"))).isTrue();
                    tablet.get(Bytes.utf8("a"), Projection.ALL, snapshot, before);
                    assertThat(load(rig, Map.of("a", "1")).finish()).isInstanceOf(Done.class);
                    assertThat(tablet.lock(after, Bytes.utf8("a"))).isTrue();
                    tablet.get(Bytes.utf8("a"), Projection.ALL, snapshot, after);
                    assertThat(before.broken()).isTrue();
                    assertThat(after.broken()).isTrue();
                });
    }

    @Test
    void aCrashBeforeTheEndLeavesNothing() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    BulkLoad load = load(rig, Map.of("a", "1"));
                    rig.restart();
                    assertThat(load.finish()).isNotInstanceOf(Done.class);
                    rig.restart();
                    assertThat(rig.blobs.list()).isEmpty();
                    assertThat(rig.rows(1)).isEmpty();
                });
    }

    @Test
    void aLoadThatIsGivenUpLeavesNothing() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    load(rig, Map.of("a", "1")).close();
                    BulkLoad late = load(rig, Map.of("a", "1"));
                    rig.cell.structure().drop(List.of(1L));
                    assertThat(late.finish()).isInstanceOf(CommitResult.Gone.class);
                    assertThat(rig.blobs.list()).isEmpty();
                });
    }

    /// Someone writes between any flush and the next attempt.
    @Test
    void aLoadIntoARangeThatIsWrittenAllTheTimeEndsOneWayOrTheOther() {
        CellRig.run(
                SEED,
                OPTIONS,
                rig -> {
                    rig.createTablet(1);
                    BulkLoad load = load(rig, Map.of("a", "1"));
                    boolean[] done = {false};
                    Thread writer =
                            rig.env.spawn(
                                    "writer",
                                    () -> {
                                        while (!done[0]) {
                                            rig.write(1, "a", "again");
                                        }
                                    });
                    CommitResult result = load.finish();
                    done[0] = true;
                    join(writer);
                    assertThat(result).isInstanceOfAny(Broken.class, Done.class);
                    rig.write(1, "a", "last");
                    assertThat(rig.rows(1)).isEqualTo(Map.of("a", "last"));
                });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static BulkLoad load(CellRig rig, Map<String, String> rows) {
        BulkLoad load = rig.cell.bulkLoad(1);
        new TreeMap<>(rows)
                .forEach((key, value) -> load.add(Bytes.utf8(key), CellRig.change(value)));
        return load;
    }
}
