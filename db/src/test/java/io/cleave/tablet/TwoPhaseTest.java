package io.cleave.tablet;

import static io.cleave.testkit.TestCells.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.Engagements;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Broken;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.TestCells;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// A transaction that writes `a` in cell 1, its coordinator, and `b` in cell 2, step by step, with
/// whatever may come between.
class TwoPhaseTest {
    private final SimEnv env = new SimEnv(1);
    private TestCells cells;
    private long id;

    /// Runs on a simulated thread.
    private void run(Runnable body) {
        env.run(
                () -> {
                    cells = new TestCells(env, 3);
                    id = cells.timeline().newId();
                    body.run();
                    cells.close();
                });
    }

    // ---- the steps

    private PrepareResult prepare(long cellId, Map<String, String> rows, ReadLocks locks) {
        List<TabletWrites> writes = rows.isEmpty() ? List.of() : writes(cellId, rows);
        return cells.cell(cellId)
                .transactions()
                .prepare(new Preparation(id, 1, List.of(2L), writes, locks.id(), null));
    }

    private void prepareBoth() {
        prepareBoth(new ReadLocks());
    }

    private void prepareBoth(ReadLocks locks) {
        assertThat(prepare(1, Map.of("a", "A"), locks)).isEqualTo(new PrepareResult.Ready());
        assertThat(prepare(2, Map.of("b", "B"), locks)).isEqualTo(new PrepareResult.Ready());
        cells.cell(2).transactions().awaitPrepared(id);
    }

    private long decide() {
        return ((DecideResult.Decided) cells.cell(1).transactions().decide(id)).timestamp();
    }

    private void assertBoth(String a, String b) {
        assertThat(cells.get(1, "a")).isEqualTo(a);
        assertThat(cells.get(2, "b")).isEqualTo(b);
    }

    private CommitResult write(long cellId, String key, String value) {
        return cells.cell(cellId).commit(writes(cellId, Map.of(key, value)), new ReadLocks(), null);
    }

    /// Nobody holds anything any more: everyone can write.
    private void assertFree() {
        long before = env.nanoTime();
        assertThat(write(1, "a", "after")).isInstanceOf(Done.class);
        assertThat(write(2, "b", "after")).isInstanceOf(Done.class);
        assertThat(env.nanoTime() - before).isLessThan(Duration.ofSeconds(1).toNanos());
        assertBoth("after", "after");
    }

    private void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- how it goes

    @Test
    void nothingIsSeenUntilAllHaveIt() {
        run(
                () -> {
                    prepareBoth();
                    assertBoth(null, null);
                    long timestamp = decide();
                    assertBoth(null, null);
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(timestamp));
                    assertThat(cells.timeline().await(timestamp)).isNull();
                    assertBoth("A", "B");
                    assertFree();
                });
    }

    @Test
    void whoeverIsAnsweredDoesNotHoldTheCoordinatorUp() {
        run(
                () -> {
                    prepareBoth();
                    var commit = new CommitDecision.Commit(decide());
                    var wentOn = new AtomicBoolean();
                    // Its answer comes with that of the transaction, and takes a while.
                    Runnable another = () -> wentOn.set(writeLater("d", () -> {}));
                    Runnable answered =
                            () -> {
                                var _ = env.spawn("another", another);
                                pass(Duration.ofMillis(1));
                            };
                    assertThat(writeLater("c", answered)).isTrue();
                    pass(Duration.ofMillis(100));
                    cells.cell(2).transactions().outcome(id, commit);
                    assertThat(wentOn).isTrue();
                });
    }

    private boolean writeLater(String key, Runnable answered) {
        List<TabletWrites> writes = writes(1, Map.of(key, "later"));
        return cells.cell(1).commitLater(writes, new ReadLocks(), _ -> answered.run());
    }

    @Test
    void everyStepMayBeDoneTwice() {
        run(
                () -> {
                    prepareBoth();
                    prepareBoth();
                    long timestamp = decide();
                    assertThat(decide()).isEqualTo(timestamp);
                    var commit = new CommitDecision.Commit(timestamp);
                    assertThat(cells.cell(1).transactions().resolve(id)).isEqualTo(commit);
                    cells.cell(2).transactions().outcome(id, commit);
                    cells.cell(2).transactions().outcome(id, commit);
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Abort());
                    assertThat(prepare(2, Map.of("b", "B"), new ReadLocks()))
                            .isEqualTo(new PrepareResult.Ended());
                    assertThat(cells.timeline().await(timestamp)).isNull();
                    cells.cell(1).transactions().finished(List.of(id), 2);
                    cells.cell(1).transactions().finished(List.of(id), 2);
                    assertBoth("A", "B");
                    assertFree();
                });
    }

    @Test
    void anAbortLeavesNothing() {
        run(
                () -> {
                    prepareBoth();
                    cells.cell(1).transactions().outcome(id, new CommitDecision.Abort());
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Abort());
                    assertThat(cells.cell(1).transactions().decide(id))
                            .isEqualTo(new DecideResult.Refused());
                    assertBoth(null, null);
                    assertFree();
                });
    }

    @Test
    void aPrepareThatComesAfterItsAbortDoesNothing() {
        run(
                () -> {
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Abort());
                    assertThat(prepare(2, Map.of("b", "B"), new ReadLocks()))
                            .isEqualTo(new PrepareResult.Ended());
                    assertFree();
                });
    }

    @Test
    void laterCommitsOfTheCellMayOvertakeAnOutcome() {
        run(
                () -> {
                    prepareBoth();
                    long timestamp = decide();
                    var overtaking = new AtomicReference<CommitResult>();
                    env.spawn("writer", () -> overtaking.set(write(2, "other", "later")));
                    pass(Duration.ofMillis(100));
                    // It is durable, and not seen before what came first.
                    assertThat(overtaking.get()).isNull();
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(timestamp));
                    pass(Duration.ofMillis(100));
                    assertThat(((Done) overtaking.get()).timestamp()).isGreaterThan(timestamp);
                    assertBoth("A", "B");
                    assertThat(cells.get(2, "other")).isEqualTo("later");
                    cells.restart();
                    assertBoth("A", "B");
                });
    }

    // ---- what waits

    @Test
    void aWriteWaitsForAnIntent() {
        run(
                () -> {
                    prepareBoth();
                    var result = new AtomicReference<CommitResult>();
                    env.spawn("writer", () -> result.set(write(2, "b", "mine")));
                    pass(Duration.ofMillis(900));
                    assertThat(result.get()).isNull();
                    long timestamp = decide();
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(timestamp));
                    pass(Duration.ofMillis(10));
                    assertThat(((Done) result.get()).timestamp()).isGreaterThan(timestamp);
                    assertBoth("A", "mine");
                });
    }

    @Test
    void aRangeEraseWaitsForAnIntentInIt() {
        run(
                () -> {
                    prepareBoth();
                    var result = new AtomicReference<CommitResult>();
                    Runnable erase =
                            () ->
                                    result.set(
                                            cells.cell(2).structure().eraseRange(20, KeyRange.ALL));
                    env.spawn("eraser", erase);
                    pass(Duration.ofMillis(900));
                    assertThat(result.get()).isNull();
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(decide()));
                    pass(Duration.ofMillis(10));
                    assertThat(result.get()).isInstanceOf(Done.class);
                    assertBoth("A", null);
                });
    }

    @Test
    void aWriteWaitsForAPin() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    prepareBoth(locks);
                    prepare(3, Map.of(), locks);
                    var result = new AtomicReference<CommitResult>();
                    env.spawn("writer", () -> result.set(write(3, "c", "C")));
                    assertThat(write(3, "d", "D")).isInstanceOf(Done.class);
                    pass(Duration.ofMillis(100));
                    assertThat(result.get()).isNull();
                    long timestamp = decide();
                    cells.cell(3).transactions().outcome(id, new CommitDecision.Commit(timestamp));
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(timestamp));
                    pass(Duration.ofMillis(100));
                    assertThat(((Done) result.get()).timestamp()).isGreaterThan(timestamp);
                    assertThat(locks.broken()).isTrue();
                });
    }

    @Test
    void aCommitThatHasReadAnIntentsKeyWaitsAndIsBroken() {
        run(
                () -> {
                    prepareBoth();
                    var locks = new ReadLocks();
                    assertThat(cells.get(2, "b", cells.timeline().take(), locks)).isNull();
                    var result = new AtomicReference<CommitResult>();
                    env.spawn(
                            "reader",
                            () ->
                                    result.set(
                                            cells.cell(2)
                                                    .commit(
                                                            writes(2, Map.of("c", "no b")),
                                                            locks,
                                                            null)));
                    pass(Duration.ofMillis(100));
                    assertThat(result.get()).isNull();
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(decide()));
                    pass(Duration.ofMillis(100));
                    assertThat(result.get()).isEqualTo(new Broken(TestCells.TABLE_ID));
                });
    }

    @Test
    void aTabletThatIsToBeChangedTakesNoMorePrepares() {
        run(
                () -> {
                    Engagements engagements = cells.tablet(2).engagements();
                    assertThat(engagements.isEmpty()).isTrue();
                    engagements.close();
                    var result = new AtomicReference<PrepareResult>();
                    env.spawn(
                            "preparer",
                            () -> result.set(prepare(2, Map.of("b", "B"), new ReadLocks())));
                    pass(Duration.ofMillis(600));
                    assertThat(result.get()).isNull();
                    assertThat(write(2, "b", "short way")).isInstanceOf(Done.class);
                    engagements.open();
                    pass(Duration.ofMillis(600));
                    assertThat(result.get()).isEqualTo(new PrepareResult.Ready());
                    assertThat(engagements.isEmpty()).isFalse();
                });
    }

    @Test
    void whoWaitsTooLongIsToldSo() {
        run(
                () -> {
                    cells.tablet(2).engagements().close();
                    assertThatThrownBy(() -> prepare(2, Map.of("b", "B"), new ReadLocks()))
                            .isInstanceOf(StatusException.class)
                            .hasMessageContaining("for 15 seconds");
                });
    }

    @Test
    void locksInAnotherCellAreNotTheShortWay() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    assertThat(locks.cellIds()).containsExactly(3L);
                    assertThat(cells.cell(2).commit(writes(2, Map.of("b", "B")), locks, null))
                            .isEqualTo(new CommitResult.Moved(20));
                });
    }

    // ---- tablets that change

    private List<TabletSpec> halves(long tabletId, long children) {
        Bytes at = Bytes.utf8("m");
        return List.of(
                new TabletSpec(children, TestCells.TABLE_ID, new KeyRange(Bytes.EMPTY, at)),
                new TabletSpec(children + 1, TestCells.TABLE_ID, new KeyRange(at, null)));
    }

    @Test
    void aSplitWaitsForAnIntentAndANewPrepareForTheSplit() {
        run(
                () -> {
                    prepareBoth();
                    var split = new AtomicReference<List<Route>>();
                    env.spawn(
                            "splitter",
                            () -> split.set(cells.cell(2).structure().split(20, halves(20, 21))));
                    pass(Duration.ofMillis(100));
                    long first = id;
                    id = cells.timeline().newId();
                    var later = new AtomicReference<PrepareResult>();
                    env.spawn(
                            "preparer",
                            () -> later.set(prepare(2, Map.of("z", "Z"), new ReadLocks())));
                    pass(Duration.ofMillis(100));
                    assertThat(split.get()).isNull();
                    assertThat(later.get()).isNull();
                    assertThat(write(2, "y", "short way")).isInstanceOf(Done.class);
                    id = first;
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(decide()));
                    pass(Duration.ofMillis(100));
                    assertThat(split.get()).hasSize(2);
                    assertThat(later.get())
                            .isEqualTo(new PrepareResult.Refused(new CommitResult.Gone(20)));
                    assertBoth("A", "B");
                });
    }

    @Test
    void aMoveWaitsForAPinAndTakesLocksAlong() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    prepare(3, Map.of(), locks);
                    assertThat(locks.arePinned()).isTrue();
                    var moved = new AtomicReference<Route>();
                    env.spawn(
                            "mover",
                            () -> moved.set(cells.cell(3).structure().move(30, cells.cell(1))));
                    pass(Duration.ofMillis(900));
                    assertThat(moved.get()).isNull();
                    cells.cell(3).transactions().outcome(id, new CommitDecision.Abort());
                    pass(Duration.ofMillis(100));
                    assertThat(moved.get()).isNotNull();
                    assertThat(locks.cellIds()).containsExactly(1L);
                    assertThat(locks.arePinned()).isFalse();
                    assertThat(cells.cell(1).commit(writes(1, Map.of("a", "A")), locks, null))
                            .isInstanceOf(Done.class);
                });
    }

    @Test
    void aLockThatGoesToACellWhichIsPreparedAlreadyIsMissed() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    prepareBoth(locks);
                    cells.cell(3).structure().move(30, cells.cell(1));
                    prepare(3, Map.of(), locks);
                    assertThat(locks.cellIds()).containsExactly(1L);
                    assertThat(locks.arePinned()).isFalse();
                });
    }

    // ---- leases: the thread that began it is gone

    @Test
    void withoutADecisionAPreparedTransactionEndsWithItsLease() {
        run(
                () -> {
                    prepareBoth();
                    pass(TransactionUpkeep.LEASE.plusSeconds(1));
                    assertThat(cells.cell(1).transactions().decide(id))
                            .isEqualTo(new DecideResult.Refused());
                    assertBoth(null, null);
                    assertFree();
                });
    }

    @Test
    void aParticipantThatHearsNothingAsksForTheDecision() {
        run(
                () -> {
                    prepareBoth();
                    long timestamp = decide();
                    assertThat(cells.timeline().await(timestamp)).isNull();
                    assertBoth("A", "B");
                    assertFree();
                });
    }

    @Test
    void theCoordinatorOfAPreparedTransactionGivesItUpWhenAsked() {
        run(
                () -> {
                    prepareBoth();
                    assertThat(cells.cell(1).transactions().resolve(id))
                            .isEqualTo(new CommitDecision.Abort());
                    assertThat(cells.cell(1).transactions().resolve(id))
                            .isEqualTo(new CommitDecision.Unknown());
                    assertThat(prepare(1, Map.of("a", "A"), new ReadLocks()))
                            .isEqualTo(new PrepareResult.Ended());
                    assertThat(cells.cell(1).transactions().decide(id))
                            .isEqualTo(new DecideResult.Refused());
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Unknown());
                    assertFree();
                });
    }

    @Test
    void pinsGoWithTheirLease() {
        run(
                () -> {
                    var locks = new ReadLocks();
                    cells.get(3, "c", cells.timeline().take(), locks);
                    prepare(3, Map.of(), locks);
                    locks.release();
                    assertThat(locks.cellIds()).as("pinned").containsExactly(3L);
                    pass(TransactionUpkeep.LEASE.plusSeconds(1));
                    assertThat(locks.cellIds()).isEmpty();
                    assertThat(cells.tablet(3).engagements().isEmpty()).isTrue();
                });
    }

    // ---- crashes, at each step

    @Test
    void aPrepareThatWasNotDurableIsAsIfItHadNeverBeen() {
        run(
                () -> {
                    long before = cells.nextPosition(2);
                    prepareBoth();
                    cells.crash(Map.of(2L, before));
                    assertThat(cells.cell(2).state().transactions().isEmpty()).isTrue();
                    assertFree();
                });
    }

    @Test
    void whatWasPreparedHoldsItsKeysAfterACrashUntilItIsResolved() {
        run(
                () -> {
                    prepareBoth();
                    cells.crash(Map.of());
                    assertThat(cells.tablet(2).engagements().isEmpty()).isFalse();
                    assertThat(cells.tablet(1).engagements().isEmpty()).isTrue();
                    cells.cell(2).transactions().recover();
                    assertBoth(null, null);
                    assertFree();
                    cells.restart();
                    assertBoth("after", "after");
                });
    }

    @Test
    void aDecisionThatWasNotDurableIsAnAbort() {
        run(
                () -> {
                    prepareBoth();
                    long before = cells.nextPosition(1);
                    decide();
                    cells.restart(Map.of(1L, before));
                    assertBoth(null, null);
                    assertFree();
                });
    }

    @Test
    void aDecisionIsCarriedOutAfterACrash() {
        run(
                () -> {
                    prepareBoth();
                    decide();
                    cells.restart();
                    assertBoth("A", "B");
                    cells.restart();
                    assertBoth("A", "B");
                    assertFree();
                });
    }

    @Test
    void anOutcomeThatWasLostIsFoundAgain() {
        run(
                () -> {
                    prepareBoth();
                    long timestamp = decide();
                    long before = cells.nextPosition(2);
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(timestamp));
                    assertThat(cells.timeline().await(timestamp)).isNull();
                    cells.restart(Map.of(2L, before));
                    assertBoth("A", "B");
                    assertFree();
                });
    }

    @Test
    void aDecisionIsForgottenWhenAllHaveIt() {
        run(
                () -> {
                    prepareBoth();
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(decide()));
                    assertThat(cells.cell(1).state().transactions().isEmpty()).isFalse();
                    pass(Duration.ofSeconds(1));
                    assertThat(cells.cell(1).state().transactions().isEmpty()).isTrue();
                    assertThat(cells.cell(1).transactions().resolve(id))
                            .isEqualTo(new CommitDecision.Unknown());
                    cells.restart();
                    assertThat(cells.cell(1).state().transactions().isEmpty()).isTrue();
                    assertBoth("A", "B");
                });
    }

    @Test
    void aForgetThatWasLostIsMadeUpFor() {
        run(
                () -> {
                    prepareBoth();
                    cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(decide()));
                    long before = cells.nextPosition(1);
                    pass(Duration.ofSeconds(1));
                    cells.restart(Map.of(1L, before));
                    assertThat(cells.cell(1).state().transactions().isEmpty()).isFalse();
                    pass(TransactionUpkeep.LEASE.plusSeconds(1));
                    assertThat(cells.cell(1).state().transactions().isEmpty()).isTrue();
                    assertBoth("A", "B");
                    assertFree();
                });
    }

    @Test
    void aCheckpointKeepsWhatIsOpen() {
        run(
                () -> {
                    prepareBoth();
                    decide();
                    cells.cell(1).structure().flush(List.of(10L));
                    cells.cell(1).checkpoint();
                    cells.cell(2).checkpoint();
                    cells.restart();
                    assertBoth("A", "B");
                    cells.cell(2).structure().flush(List.of(20L));
                    cells.cell(2).checkpoint();
                    cells.restart();
                    assertBoth("A", "B");
                    assertFree();
                });
    }
}
