package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// Commits made for an older description of a table end when it changes.
class OlderCommitsTest {
    private final TabletBench bench = new TabletBench(3);

    @BeforeEach
    void makeTable() {
        bench.create(TabletBench.PATH, 100);
        bench.write(90, 110, "x");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private Transaction writing(long... ids) {
        Transaction transaction = bench.store.transactions().begin(Isolation.SERIALIZABLE);
        var write =
                new RowWrite(RowWrite.Kind.UPSERT, new int[] {1}, new Value[] {Value.text("y")});
        for (long id : ids) {
            transaction.write(bench.table(), TabletBench.key(id), write);
        }
        return transaction;
    }

    /// The catalog's view has not changed, as on a node that lags behind.
    @Test
    void aTransactionThatATabletRefusesIsAConflict() {
        Table table = bench.table();
        Route second = bench.store.tablets().map(table).routes().get(1);
        assertThat(
                        bench.store
                                .cell(second.cellId())
                                .structure()
                                .requireVersion(table.version() + 1, List.of(second.tabletId())))
                .isTrue();
        var conflict = new CommitOutcome.Conflict(TabletBench.PATH);
        assertThat(writing(105).commit()).isEqualTo(conflict);
        assertThat(writing(105).commitLater(_ -> {})).isFalse();
        // In two cells: the first has prepared, and lets go again.
        assertThat(writing(95, 105).commit()).isEqualTo(conflict);
        assertThat(bench.rows()).doesNotContainValue("y");
        assertThat(writing(95).commit()).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void everyTabletRefusesThemWhateverIsSplitAndMovedMeanwhile() throws Exception {
        Table table = bench.table();
        var over = new AtomicBoolean();
        var begun = new CountDownLatch(1);
        Thread changes =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (long key = 1; !over.get(); key++) {
                                        change(key);
                                        begun.countDown();
                                    }
                                });
        begun.await();
        bench.store.tablets().olderCommits().end(table.id());
        over.set(true);
        changes.join();
        assertThat(bench.store.tablets().map(bench.table()).routes())
                .allSatisfy(
                        route ->
                                assertThat(route.tablet().minVersion()).isEqualTo(table.version()));
        bench.write(90, 110, "it takes writes of this version");
    }

    private void change(long key) {
        Resharding resharding = bench.store.resharding();
        resharding.split(TabletBench.PATH, List.of(TabletBench.key(key)));
        resharding.move(TabletBench.PATH, bench.tabletId(1), 1 + key % 3);
        resharding.merge(TabletBench.PATH, List.of(bench.tabletId(0), bench.tabletId(1)));
    }
}
