package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobWriter;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Cell;
import io.cleave.tablet.HalfDone;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.TabletSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SortedMap;

/// What a crash leaves half done in the cells, made by hand behind the catalog's back, is finished
/// or undone by the next start: each line of the table in `docs/tablets.md`.
class AfterACrashTest {
    private final TabletBench bench = new TabletBench(3);
    private SortedMap<Long, String> rows;

    @BeforeEach
    void makeTable() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
        rows = bench.rows();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void tabletsOfATableThatNeverWasAreDropped() {
        long id = bench.tabletId(1) + 1;
        cell(3).structure().create(List.of(new TabletSpec(id, 88_888, KeyRange.ALL)));
        HalfDone.detach(cell(3), id, 1);
        assertAfterRestart("-@1.1 100@2.1");
        assertThat(bench.held()).containsExactly(1, 1, 0);
    }

    /// The catalog's log was cut, and the loss was accepted.
    @Test
    void aTableTakesTheVersionThatItsTabletsRequire() {
        long lost = bench.table().version() + 7;
        assertThat(cell(1).structure().requireVersion(lost, List.of(bench.tabletId(0)))).isTrue();
        bench.store.restart();
        assertThat(bench.table().version()).isEqualTo(lost);
        bench.write(50, 60, "it takes writes again");
    }

    @Test
    void aMoveThatHasArrivedIsFinished() {
        cell(1).structure().move(bench.tabletId(0), cell(3));
        assertAfterRestart("-@3.2 100@2.1");
        assertThat(bench.held()).containsExactly(0, 1, 1);
    }

    @Test
    void aMoveThatHasNotArrivedIsUndone() {
        HalfDone.detach(cell(1), bench.tabletId(0), 3);
        assertAfterRestart("-@1.3 100@2.1");
        assertThat(bench.held()).containsExactly(1, 1, 0);
        bench.write(50, 60, "it takes writes again");
    }

    @Test
    void whatHasArrivedMayHaveBeenCutSince() {
        cell(1).structure().move(bench.tabletId(0), cell(3));
        cut(cell(3), cell(3).tablet(bench.tabletId(0)), 50);
        assertAfterRestart("-@3.3 50@3.3 100@2.1");
        assertThat(bench.held()).containsExactly(0, 1, 2);
    }

    @Test
    void ofTwoMovesTheLaterCounts() {
        long id = bench.tabletId(0);
        cell(1).structure().move(id, cell(3));
        HalfDone.detach(cell(3), id, 2);
        assertAfterRestart("-@3.4 100@2.1");
        assertThat(bench.held()).containsExactly(0, 1, 1);
    }

    @Test
    void aSplitIsToldToTheCatalog() {
        cut(cell(2), cell(2).tablet(bench.tabletId(1)), 105);
        assertAfterRestart("-@1.1 100@2.2 105@2.2");
    }

    @Test
    void aMergeIsToldToTheCatalog() {
        bench.store.resharding().move("t", bench.tabletId(0), 2);
        List<Long> ids = List.of(bench.tabletId(0), bench.tabletId(1));
        Tablet first = cell(2).tablet(ids.getFirst());
        cell(2).structure()
                .merge(
                        ids,
                        new TabletSpec(
                                ids.getLast() + 1,
                                first.tableId(),
                                KeyRange.ALL,
                                first.settings(),
                                3));
        assertAfterRestart("-@2.3");
    }

    @Test
    void aDropThatWasCutOffIsFinished() {
        HalfDone.detach(cell(1), bench.tabletId(0), 3);
        cell(2).structure()
                .create(List.of(new TabletSpec(bench.tabletId(1) + 1, 77_777, KeyRange.ALL)));
        bench.store.tree().dropTable(TabletBench.PATH, false);
        bench.store.restart();
        assertThat(bench.held()).containsExactly(0, 0, 0);
        assertThat(bench.store.userBlobs().list()).isEmpty();
    }

    @Test
    void keysThatNobodyHasAreCorruption() {
        cell(1).structure().drop(List.of(bench.tabletId(0)));
        assertCorrupt("table /local/t", "does not begin where the one before ends");
    }

    @Test
    void theLastKeysToo() {
        cell(2).structure().drop(List.of(bench.tabletId(1)));
        assertCorrupt("table /local/t", "do not reach to the end of all keys");
    }

    @Test
    void keysThatTwoHaveAreCorruption() {
        Tablet there = cell(1).tablet(bench.tabletId(0));
        cell(3).structure()
                .create(
                        List.of(
                                new TabletSpec(
                                        bench.tabletId(1) + 1, there.tableId(), there.range())));
        assertCorrupt("table /local/t", "does not begin where the one before ends");
    }

    private void assertAfterRestart(String layout) {
        for (int round = 0; round < 2; round++) {
            bench.store.restart();
            assertThat(bench.layout()).isEqualTo(layout);
            assertThat(bench.rows()).isEqualTo(rows);
        }
    }

    @Test
    void aTabletThatWentToACellWhichIsNotThereIsCorruption() {
        HalfDone.detach(cell(1), bench.tabletId(0), 4);
        assertCorrupt("cell 1", "is being moved to cell 4, which does not exist");
    }

    /// What is refused is left as it is, also files that no one seems to need.
    private void assertCorrupt(String what, String why) {
        long id;
        try (BlobWriter blob = bench.store.userBlobs().create()) {
            blob.write(new byte[] {1});
            blob.seal();
            id = blob.id();
        }
        assertThatThrownBy(bench.store::restart)
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(why);
        assertThat(bench.store.userBlobs().list()).contains(id);
    }

    private Cell cell(long cellId) {
        return bench.store.cell(cellId);
    }

    private void cut(Cell cell, Tablet tablet, long at) {
        long id = bench.tabletId(1) + 1;
        KeyRange range = tablet.range();
        cell.structure()
                .split(
                        tablet.id(),
                        List.of(
                                child(tablet, id, new KeyRange(range.from(), TabletBench.key(at))),
                                child(
                                        tablet,
                                        id + 1,
                                        new KeyRange(TabletBench.key(at), range.to()))));
    }

    private static TabletSpec child(Tablet parent, long id, KeyRange range) {
        return new TabletSpec(id, parent.tableId(), range, parent.settings(), parent.epoch() + 1);
    }
}
