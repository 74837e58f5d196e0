package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.TabletSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

class CellTest {
    private static final TreeSettings FILTERED =
            new TreeSettings(List.of(StoredFamily.DEFAULT), true, null);
    private static final CellOptions OPTIONS = CellOptions.DEFAULT;

    @Test
    void settingsAreKeptOverARestartAndAState() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.cell
                            .structure()
                            .create(
                                    List.of(
                                            new TabletSpec(7, 100, KeyRange.ALL),
                                            new TabletSpec(8, 200, KeyRange.ALL, FILTERED)));
                    rig.cell.structure().configure(List.of(7L, 99L), FILTERED);
                    rig.cell.structure().configure(List.of(8L), TreeSettings.DEFAULT);
                    for (int start = 0; start < 3; start++) {
                        assertThat(rig.cell.tablet(7).settings()).isEqualTo(FILTERED);
                        assertThat(rig.cell.tablet(8).settings()).isEqualTo(TreeSettings.DEFAULT);
                        rig.cell.checkpoint();
                        rig.restart();
                    }
                });
    }

    @Test
    void aRangeEraseIsThereAfterARestartAndAState() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    rig.write(7, Map.of("a", "1", "b", "2", "c", "3"));
                    rig.cell.structure().compact(List.of(7L));
                    rig.write(7, Map.of("bb", "4", "d", "5"));
                    long before = rig.cell.timeline().take();
                    assertThat(rig.cell.structure().eraseRange(7, range("b", "d")))
                            .isInstanceOf(Done.class);
                    rig.write(7, "c", "6");
                    Map<String, String> rows = Map.of("a", "1", "c", "6", "d", "5");
                    assertThat(rig.rows(7)).isEqualTo(rows);
                    assertThat(rig.rows(7, before)).containsKeys("a", "b", "bb", "c", "d");
                    rig.cell.timeline().release(before);
                    rig.restart();
                    assertThat(rig.rows(7)).isEqualTo(rows);
                    rig.cell.checkpoint();
                    rig.restart();
                    assertThat(rig.rows(7)).isEqualTo(rows);
                    rig.cell.structure().compact(List.of(7L));
                    assertThat(rig.rows(7)).isEqualTo(rows);
                    assertThat(rig.cell.tablet(7).tree().erases()).isEmpty();
                    rig.restart();
                    assertThat(rig.rows(7)).isEqualTo(rows);
                });
    }

    @Test
    void aFileThatIsErasedAsAWholeIsNotRead() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    rig.write(7, Map.of("a", "1", "b", "2"));
                    rig.cell.structure().compact(List.of(7L));
                    long read = rig.files.bytesRead();
                    var _ = rig.cell.structure().eraseRange(7, KeyRange.ALL);
                    rig.pass(Duration.ofSeconds(1));
                    assertThat(rig.blobs.list()).isEmpty();
                    assertThat(rig.files.bytesRead()).isEqualTo(read);
                    assertThat(rig.cell.tablet(7).tree().erases()).isEmpty();
                });
    }

    @Test
    void aRangeEraseBreaksTheLocksOfThoseWhoReadThere() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    rig.write(7, Map.of("a", "1", "m", "2"));
                    Tablet tablet = rig.cell.tablet(7);
                    long snapshot = rig.cell.timeline().take();
                    var point = new ReadLocks();
                    var range = new ReadLocks();
                    var elsewhere = new ReadLocks();
                    var later = new ReadLocks();
                    assertThat(tablet.lock(point, Bytes.utf8("b"))).isTrue();
                    tablet.get(Bytes.utf8("b"), Projection.ALL, snapshot, point);
                    assertThat(tablet.lock(range, range("a", "c"))).isTrue();
                    tablet.scan(
                            range("a", "c"), Projection.ALL, snapshot, Direction.FORWARD, range);
                    assertThat(tablet.lock(elsewhere, Bytes.utf8("m"))).isTrue();
                    tablet.get(Bytes.utf8("m"), Projection.ALL, snapshot, elsewhere);
                    var _ = rig.cell.structure().eraseRange(7, range("b", "d"));
                    assertThat(tablet.lock(later, Bytes.utf8("c"))).isTrue();
                    tablet.get(Bytes.utf8("c"), Projection.ALL, snapshot, later);
                    assertThat(point.broken()).isTrue();
                    assertThat(range.broken()).isTrue();
                    assertThat(later.broken()).isTrue();
                    assertThat(elsewhere.broken()).isFalse();
                });
    }

    private static KeyRange range(String from, String to) {
        return new KeyRange(Bytes.utf8(from), Bytes.utf8(to));
    }

    @Test
    void aCommitWithoutWaitingIsToldWhenItIsThere() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    var told = new CompletableFuture<CommitResult>();
                    assertThat(rig.commitLater(7, "a", "1", new ReadLocks(), told)).isTrue();
                    assertThat(told).isNotDone();
                    assertThat(rig.rows(7)).isEmpty();
                    assertThat(told.join()).isInstanceOf(Done.class);
                    assertThat(rig.rows(7)).isEqualTo(Map.of("a", "1"));
                    rig.restart();
                    assertThat(rig.rows(7)).isEqualTo(Map.of("a", "1"));
                });
    }

    @Test
    void whatWouldBeRefusedIsLeftToThoseWhoWait() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    var read = new ReadLocks();
                    assertThat(rig.cell.tablet(7).lock(read, Bytes.utf8("a"))).isTrue();
                    rig.write(7, "a", "1");
                    var told = new CompletableFuture<CommitResult>();
                    assertThat(rig.commitLater(7, "a", "2", read, told)).isFalse();
                    assertThat(rig.commitLater(8, "a", "2", new ReadLocks(), told)).isFalse();
                    rig.cell.tablet(7).seal(true);
                    assertThat(rig.commitLater(7, "a", "2", new ReadLocks(), told)).isFalse();
                    rig.cell.tablet(7).seal(false);
                    assertThat(told).isNotDone();
                    assertThat(rig.rows(7)).isEqualTo(Map.of("a", "1"));
                });
    }

    @Test
    void aCommitWithoutWaitingIsToldThatTheLogHasEnded() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    Cell old = rig.cell;
                    rig.restart();
                    var told = new CompletableFuture<CommitResult>();
                    assertThat(CellRig.commitLater(old, 7, "a", "1", new ReadLocks(), told))
                            .isTrue();
                    assertThat(told.join()).isInstanceOf(CommitResult.Lost.class);
                    assertThat(rig.rows(7)).isEmpty();
                });
    }

    @Test
    void aRestartFindsWhatWasCommitted() {
        CellRig.run(
                1,
                OPTIONS,
                rig -> {
                    rig.createTablet(7);
                    rig.write(7, "a", "1");
                    rig.write(7, "b", "2");
                    rig.erase(7, "a");
                    rig.restart();
                    assertThat(rig.rows(7)).isEqualTo(Map.of("b", "2"));
                });
    }
}
