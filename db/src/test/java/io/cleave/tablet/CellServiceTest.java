package io.cleave.tablet;

import static io.cleave.testkit.TestCells.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.LockState;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.TestCells;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a cell answers to a caller that knows tablets by routes, and locks by the id of their
/// owner.
class CellServiceTest {
    private static final int MOST = 2;

    private final SimEnv env = new SimEnv(1);
    private TestCells cells;
    private long id;

    private interface Body {
        void run() throws MovedException;
    }

    private void run(Body body) {
        env.run(
                () -> {
                    cells = new TestCells(env, 3);
                    id = cells.timeline().newId();
                    try {
                        body.run();
                    } catch (MovedException e) {
                        throw new AssertionError(e);
                    }
                    cells.close();
                });
    }

    private List<ChangedKey> changes(Route route, KeyRange range) throws MovedException {
        return route.cell().changes(route, range, 0, cells.timeline().visible(), MOST);
    }

    @Test
    void changedKeysComeABatchAtATime() {
        run(
                () -> {
                    Map<String, String> rows = Map.of("a", "1", "b", "2", "c", "3");
                    cells.cell(1).commit(writes(1, rows), null, null);
                    List<ChangedKey> first = changes(cells.route(1, "a"), KeyRange.ALL);
                    assertThat(first)
                            .extracting(each -> each.key().utf8())
                            .containsExactly("a", "b");
                    var left = new KeyRange(first.getLast().key().successor(), null);
                    assertThat(changes(cells.route(1, "a"), left))
                            .extracting(each -> each.key().utf8())
                            .containsExactly("c");
                });
    }

    @Test
    void aReadOfATabletThatHasMovedSaysWhereItsKeysAre() {
        run(
                () -> {
                    Route old = cells.route(1, "a");
                    assertThat(old.isCurrent()).isTrue();
                    cells.cell(1).structure().move(10, cells.cell(2));
                    assertThat(old.isCurrent()).isFalse();
                    MovedException moved =
                            catchThrowableOfType(
                                    MovedException.class, () -> changes(old, KeyRange.ALL));
                    assertThat(moved.find(Bytes.utf8("a")).cellId()).isEqualTo(2);
                    assertThat(moved.find(KeyRange.ALL))
                            .extracting(part -> part.route().cellId())
                            .containsExactly(2L);
                });
    }

    @Test
    void aCellForgetsAnOwnerWhoseLocksAreReleased() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    assertThat(cells.cell(3).state().locks().find(locks.id())).isSameAs(locks);
                    cells.cell(3).releaseLocks(locks.id());
                    assertThat(locks.cellIds()).isEmpty();
                    assertThat(cells.cell(3).state().locks().find(locks.id())).isNotSameAs(locks);
                });
    }

    @Test
    void aReleaseReachesLocksThatHaveMoved() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    cells.cell(3).structure().move(30, cells.cell(1));
                    assertThat(cells.cell(1).state().locks().find(locks.id())).isSameAs(locks);
                    cells.cell(3).releaseLocks(locks.id());
                    assertThat(locks.cellIds()).isEmpty();
                    assertThat(cells.cell(1).state().locks().find(locks.id())).isNotSameAs(locks);
                });
    }

    @Test
    void aCellInWhichALockWasBrokenRefusesAPrepareEvenIfTheLockHasMoved() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    cells.cell(3).commit(writes(3, Map.of("c", "C")), null, null);
                    cells.cell(3).structure().move(30, cells.cell(1));
                    assertThat(prepare(3, locks))
                            .isEqualTo(
                                    new PrepareResult.Refused(
                                            new CommitResult.Broken(TestCells.TABLE_ID)));
                });
    }

    @Test
    void aPreparedCellTellsWhereALockHasGone() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    assertThat(prepare(1, locks)).isEqualTo(new PrepareResult.Ready());
                    cells.cell(3).structure().move(30, cells.cell(1));
                    assertThat(prepare(3, locks)).isEqualTo(new PrepareResult.Ready());
                    assertThat(cells.cell(3).transactions().awaitPrepared(id))
                            .isEqualTo(new LockState(Set.of(1L), false));
                });
    }

    private PrepareResult prepare(long cellId, ReadLocks locks) {
        var part = new Preparation(id, 1, List.of(), List.of(), locks.id(), null);
        return cells.cell(cellId).transactions().prepare(part);
    }
}
