package io.cleave.tablet;

import static io.cleave.testkit.TestCells.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.tablet.CellAgreement.Lost;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.TestCells;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/// A transaction that writes in cell 1, its coordinator, and in cell 2. One of the two loses
/// records, and the other one knows that they were there. Each line of the table in
/// docs/formats/cell.md has a test.
class CellAgreementTest {
    private final SimEnv env = new SimEnv(1);
    private TestCells cells;

    /// Runs on a simulated thread, with the id of a transaction.
    private void run(LongConsumer body) {
        env.run(
                () -> {
                    cells = new TestCells(env, 2);
                    body.accept(cells.timeline().newId());
                    cells.close();
                });
    }

    private void prepareBoth(long id) {
        for (long cellId = 1; cellId <= 2; cellId++) {
            var part =
                    new Preparation(
                            id,
                            1,
                            List.of(2L),
                            writes(cellId, Map.of("a", "A")),
                            new ReadLocks().id(),
                            null);
            assertThat(cells.cell(cellId).transactions().prepare(part))
                    .isEqualTo(new PrepareResult.Ready());
        }
        cells.cell(2).transactions().awaitPrepared(id);
    }

    private long decide(long id) {
        return ((DecideResult.Decided) cells.cell(1).transactions().decide(id)).timestamp();
    }

    private void end(long id, long timestamp) {
        cells.cell(2).transactions().outcome(id, new CommitDecision.Commit(timestamp));
        assertThat(cells.timeline().await(timestamp)).isNull();
    }

    private void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitForgotten() {
        pass(Duration.ofSeconds(1));
        assertThat(cells.cell(1).state().transactions().isEmpty()).isTrue();
    }

    private List<Lost> check() {
        return CellAgreement.check(List.of(cells.cell(1), cells.cell(2)));
    }

    private void assertLost(long cellId, long transactionId, String knownBy) {
        List<Lost> lost = check();
        assertThat(lost).hasSize(1);
        assertThat(lost.getFirst().cellId()).isEqualTo(cellId);
        assertThat(lost.getFirst().transactionId()).isEqualTo(transactionId);
        assertThat(lost.getFirst().text()).contains(knownBy);
    }

    @Test
    void aDecidedTransactionWhosePartIsMissing() {
        run(
                id -> {
                    long before = cells.nextPosition(2);
                    prepareBoth(id);
                    decide(id);
                    cells.crash(Map.of());
                    assertThat(check()).isEmpty();
                    cells.crash(Map.of(2L, before));
                    assertLost(2, id, "cell 1 has decided that it has happened");
                });
    }

    @Test
    void anOutcomeWhoseDecisionIsMissing() {
        run(
                id -> {
                    prepareBoth(id);
                    long before = cells.nextPosition(1);
                    end(id, decide(id));
                    pass(Duration.ofMillis(10));
                    assertThat(cells.cell(2).state().transactions().isEmpty()).isTrue();
                    cells.crash(Map.of());
                    assertThat(check()).isEmpty();
                    cells.crash(Map.of(1L, before));
                    assertLost(1, id, "cell 2 has it as ended");
                });
    }

    @Test
    void aForgottenTransactionOfWhichACellHasNothing() {
        run(
                id -> {
                    long before = cells.nextPosition(2);
                    prepareBoth(id);
                    end(id, decide(id));
                    awaitForgotten();
                    cells.crash(Map.of());
                    assertThat(check()).isEmpty();
                    cells.crash(Map.of(2L, before));
                    assertLost(2, id, "cell 1 has it as ended in all cells");
                });
    }

    /// The cell has later records, so its newest timestamp says nothing.
    @Test
    void aForgottenTransactionWhoseOutcomeIsMissing() {
        run(
                id -> {
                    prepareBoth(id);
                    long outcome = cells.nextPosition(2);
                    end(id, decide(id));
                    assertThat(
                                    cells.cell(2)
                                            .commit(
                                                    writes(2, Map.of("later", "L")),
                                                    new ReadLocks(),
                                                    null))
                            .isInstanceOf(CommitResult.Done.class);
                    awaitForgotten();
                    cells.crash(Map.of());
                    assertThat(check()).isEmpty();
                    cells.crashWithout(2, outcome);
                    assertLost(2, id, "cell 1 knows that it has happened");
                });
    }
}
