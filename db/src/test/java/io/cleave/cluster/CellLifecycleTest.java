package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Direction;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogView;
import io.cleave.log.LogException;
import io.cleave.schema.CellStage;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellHost;
import io.cleave.tablet.CellTransactions;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.testkit.TestStore;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/// Cells that come and go while the server runs.
class CellLifecycleTest {
    private static final int[] VALUE = {1};

    private final TestStore store = new TestStore(2);
    private final TabletBench bench = new TabletBench(store);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aNewCellTakesTabletsAndStays() {
        assertThat(lifecycle().create("default")).isEqualTo(3);
        bench.create(TabletBench.PATH, 10, 20);
        bench.write(0, 30, "a");
        assertThat(bench.layout()).isEqualTo("-@1.1 10@2.1 20@3.1");
        store.restart();
        assertThat(bench.layout()).isEqualTo("-@1.1 10@2.1 20@3.1");
        assertThat(bench.rows()).hasSize(30);
        assertThat(store.resharding().bundles()).isEqualTo(Map.of("default", List.of(1L, 2L, 3L)));
    }

    @Test
    void transactionsSpanOldAndNewCells() {
        bench.create(TabletBench.PATH, 10);
        lifecycle().create("default");
        move(1, 3);
        commit(Map.of(1L, "a", 11L, "b"));
        store.restart();
        assertThat(bench.rows()).isEqualTo(Map.of(1L, "a", 11L, "b"));
    }

    @Test
    void aBundleMayBeginWithItsFirstCell() {
        long cell = lifecycle().create("archive");
        bench.create(TabletBench.PATH, Map.of("tablet_cell_bundle", "archive"));
        assertThat(bench.layout()).isEqualTo("-@%d.1".formatted(cell));
    }

    @Test
    void aCellWithoutTabletsIsRemovedAtOnce() {
        lifecycle().remove(2);
        assertThat(stages()).isEqualTo(Map.of(1L, CellStage.RUNNING));
        assertThat(store.cells()).hasSize(1);
        assertThat(store.hasLog(2)).isFalse();
        store.restart();
        assertThat(store.cells()).hasSize(1);
        assertThat(store.hasLog(2)).isFalse();
    }

    @Test
    void idsAreNeverGivenTwice() {
        lifecycle().remove(2);
        assertThat(lifecycle().create("default")).isEqualTo(3);
        lifecycle().remove(3);
        store.restart();
        assertThat(lifecycle().create("default")).isEqualTo(4);
    }

    @Test
    void aStartAddsOnlyCellsThatNeverWere() {
        lifecycle().remove(2);
        store.restart(2);
        assertThat(stages().keySet()).containsExactly(1L);
        store.restart(4);
        assertThat(stages().keySet()).containsExactly(1L, 3L, 4L);
    }

    @Test
    void aCellGivesItsTabletsAwayBeforeItEnds() {
        bench.create(TabletBench.PATH, 10);
        bench.write(0, 20, "a");
        lifecycle().remove(2);
        assertThat(stages()).containsEntry(2L, CellStage.DECOMMISSIONING);
        lifecycle().proceed();
        assertThat(stages()).containsEntry(2L, CellStage.DECOMMISSIONING);
        store.restart();
        assertThat(stages()).containsEntry(2L, CellStage.DECOMMISSIONING);
        move(1, 1);
        lifecycle().proceed();
        assertThat(stages()).isEqualTo(Map.of(1L, CellStage.RUNNING));
        assertThat(bench.rows()).hasSize(20);
        bench.write(0, 20, "b");
        store.restart();
        assertThat(bench.rows().values()).hasSize(20).containsOnly("b");
    }

    @Test
    void aCellThatIsBeingRemovedGetsNoTablets() {
        bench.create("/local/a", 10);
        lifecycle().remove(2);
        bench.create(TabletBench.PATH, 10);
        assertThat(bench.layout()).isEqualTo("-@1.1 10@1.1");
        assertThatThrownBy(() -> move(0, 2))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("cell 2 is being removed");
        assertThatThrownBy(() -> store.resharding().putBundle("x", List.of(2L)))
                .hasMessageContaining("cell 2 is being removed");
    }

    @Test
    void theLastCellOfABundleKeepsItsTabletsUntilAnotherOneComes() {
        long only = lifecycle().create("archive");
        bench.create(TabletBench.PATH, Map.of("tablet_cell_bundle", "archive"), 10);
        bench.write(0, 20, "a");
        lifecycle().remove(only);
        lifecycle().proceed();
        bench.write(0, 20, "b");
        assertThat(bench.layout()).isEqualTo("-@3.1 10@3.1");
        assertThatThrownBy(
                        () -> bench.create("/local/other", Map.of("tablet_cell_bundle", "archive")))
                .hasMessageContaining("the bundle 'archive' has no running cell");
        long other = lifecycle().create("archive");
        move(0, other);
        move(1, other);
        lifecycle().proceed();
        assertThat(stages().keySet()).containsExactly(1L, 2L, other);
        assertThat(bench.rows().values()).hasSize(20).containsOnly("b");
    }

    @Test
    void aTabletThatMayGoAnywhereGoesToACellThatRuns() {
        bench.create(TabletBench.PATH, 10, 20);
        assertThat(bench.layout()).isEqualTo("-@1.1 10@2.1 20@1.1");
        lifecycle().remove(2);
        assertThat(store.resharding().emptiest(bench.table())).hasValue(1);
        lifecycle().remove(1);
        assertThat(store.resharding().emptiest(bench.table())).isEmpty();
    }

    @Test
    void aCellThatIsBeingCreatedStaysInABundle() {
        CatalogView view =
                store.catalog()
                        .view()
                        .with(
                                List.of(
                                        new CatalogChange.PutCell(3, CellStage.INITIALIZING),
                                        new CatalogChange.PutBundle("archive", List.of(2L, 3L))));
        List<CatalogChange> changes =
                Bundles.putting(view, store.tablets().cells().ids(), "archive", List.of(2L));
        assertThat(view.with(changes).bundles())
                .isEqualTo(Map.of("archive", List.of(2L), "default", List.of(1L, 3L)));
        assertThatThrownBy(
                        () ->
                                Bundles.putting(
                                        view, store.tablets().cells().ids(), "x", List.of(3L)))
                .hasMessageContaining("cell 3 is being created");
    }

    @Test
    void aBundleThatHasLostItsLastCellDoesNotHinderOthers() {
        lifecycle().create("gone");
        bench.create(TabletBench.PATH, Map.of(Bundles.ATTRIBUTE, "gone"));
        CatalogView view =
                store.catalog()
                        .view()
                        .with(List.of(new CatalogChange.PutBundle("gone", List.of())));
        List<CatalogChange> changes =
                Bundles.putting(view, store.tablets().cells().ids(), "archive", List.of(2L));
        assertThat(view.with(changes).bundles())
                .isEqualTo(Map.of("archive", List.of(2L), "default", List.of(1L, 3L)));
    }

    @Test
    void aCellThatCannotBeClosedIsTriedAgain() {
        lifecycle().create("default");
        var failing = new FailingHosting(store.hosting());
        Tablets tablets = store.tablets();
        var other =
                new CellLifecycle(
                        tablets.held(),
                        tablets.cells(),
                        tablets.arrivals(),
                        tablets.replicas(),
                        failing);
        other.remove(3);
        assertThat(stages()).containsEntry(3L, CellStage.DECOMMISSIONED);
        other.proceed();
        failing.fails = false;
        other.proceed();
        assertThat(stages().keySet()).containsExactly(1L, 2L);
    }

    private static final class FailingHosting implements CellHosting {
        private final CellHosting real;
        private boolean fails = true;

        FailingHosting(CellHosting real) {
            this.real = real;
        }

        @Override
        public CellHost shared() {
            return real.shared();
        }

        @Override
        public Cell open(long cellId) {
            return real.open(cellId);
        }

        @Override
        public void close(long cellId) {
            if (fails) {
                throw new LogException("the log does not end", null);
            }
            real.close(cellId);
        }

        @Override
        public void removeLog(long cellId) {
            real.removeLog(cellId);
        }
    }

    @Test
    void aLateMessageToARemovedCellChangesNothing() {
        Cell cell = store.cells().get(1);
        lifecycle().remove(2);
        CellTransactions removed = cell.transactions();
        removed.admit(List.of());
        removed.outcome(7, new CommitDecision.Commit(8));
        removed.confirm(7, 8);
        removed.applied(7, 1);
        removed.finished(List.of(7L), 1);
        assertThat(removed.decide(7)).isInstanceOf(DecideResult.Refused.class);
        assertThat(removed.resolve(7)).isInstanceOf(CommitDecision.Unknown.class);
        assertThat(store.tablets().timeline().failure()).isNull();
        bench.create(TabletBench.PATH);
        bench.write(0, 20, "a");
        assertThat(bench.rows()).hasSize(20);
    }

    @Test
    void aCellStaysWhileATransactionHasLocksInIt() {
        bench.create(TabletBench.PATH, 10);
        bench.write(0, 20, "a");
        Transaction reader = store.transactions().begin(Isolation.SERIALIZABLE);
        assertThat(reader.get(TabletBench.key(15), columns())).isNotNull();
        lifecycle().remove(2);
        move(1, 1);
        lifecycle().proceed();
        assertThat(stages()).containsEntry(2L, CellStage.DECOMMISSIONING);
        write(reader, 1, "read");
        assertThat(reader.commit()).isInstanceOf(Committed.class);
        lifecycle().proceed();
        assertThat(stages().keySet()).containsExactly(1L);
    }

    @Test
    void aScanGoesOnAfterItsCellIsGone() {
        bench.create(TabletBench.PATH, 10);
        bench.write(0, 20, "a");
        Transaction reader = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        try (RowStream rows = reader.scan(KeyRange.ALL, columns(), Direction.BACKWARD)) {
            assertThat(rows.next()).isTrue();
            lifecycle().remove(2);
            move(1, 1);
            lifecycle().proceed();
            assertThat(stages().keySet()).containsExactly(1L);
            int count = 1;
            while (rows.next()) {
                count++;
            }
            assertThat(count).isEqualTo(20);
        } finally {
            reader.rollback();
        }
    }

    /// Clients write in one or two cells and read everything, while cells come and go. Each row
    /// only grows, and a scan sees both rows of a pair or neither.
    @Test
    void clientsNoticeNothing() throws InterruptedException {
        bench.create(TabletBench.PATH, PAIRS / 2, PAIRS, PAIRS * 3 / 2);
        bench.write(0, PAIRS * 2, "0");
        var clients = new Clients();
        for (int round = 0; round < ROUNDS; round++) {
            long fresh = lifecycle().create("default");
            long old = stages().keySet().iterator().next();
            lifecycle().remove(old);
            List<TabletInfo> left = bench.tablets();
            for (TabletInfo tablet : left) {
                if (tablet.cellId() == old) {
                    store.resharding().move(TabletBench.PATH, tablet.tabletId(), fresh);
                }
            }
            clients.awaitCommits(COMMITS_A_ROUND * (round + 1));
            while (stages().containsKey(old)) {
                // A reader may have read there; its transaction ends soon.
                lifecycle().proceed();
                LockSupport.parkNanos(1_000_000);
            }
        }
        clients.end();
        assertThat(clients.failures).isEmpty();
        assertThat(stages()).hasSize(2).doesNotContainKeys(1L, 2L);
        assertThat(bench.rows()).isEqualTo(clients.expected());
        store.restart();
        assertThat(bench.rows()).isEqualTo(clients.expected());
    }

    private static final int PAIRS = 40;
    private static final int ROUNDS = 6;
    private static final int COMMITS_A_ROUND = 30;
    private static final int WRITERS = 4;

    /// Writers, each with its own pairs of rows in two tablets, and one who reads them all.
    private final class Clients {
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private final AtomicLong commits = new AtomicLong();
        private final AtomicLongArray written = new AtomicLongArray(PAIRS);
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean over;

        Clients() {
            for (int writer = 0; writer < WRITERS; writer++) {
                int first = writer;
                begin(() -> write(first));
            }
            begin(this::read);
        }

        private void begin(Runnable step) {
            threads.add(
                    // These never wait for long, and would keep virtual threads of the store
                    // waiting.
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            while (!over) {
                                                step.run();
                                            }
                                        } catch (Throwable e) {
                                            failures.add(e);
                                        }
                                    }));
        }

        private void write(int first) {
            for (int pair = first; pair < PAIRS; pair += WRITERS) {
                String text = Long.toString(written.get(pair) + 1);
                commit(Map.of((long) pair, text, (long) pair + PAIRS, text));
                written.incrementAndGet(pair);
                commits.incrementAndGet();
            }
        }

        private void read() {
            Map<Long, String> rows = bench.rows();
            assertThat(rows).hasSize(PAIRS * 2);
            for (long pair = 0; pair < PAIRS; pair++) {
                assertThat(rows.get(pair)).isEqualTo(rows.get(pair + PAIRS));
            }
        }

        void awaitCommits(long count) {
            while (commits.get() < count && failures.isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        void end() throws InterruptedException {
            over = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }

        Map<Long, String> expected() {
            Map<Long, String> rows = new TreeMap<>();
            for (int pair = 0; pair < PAIRS; pair++) {
                String text = Long.toString(written.get(pair));
                rows.put((long) pair, text);
                rows.put((long) pair + PAIRS, text);
            }
            return rows;
        }
    }

    @Test
    void thereIsNoSuchCell() {
        assertThatThrownBy(() -> lifecycle().remove(7))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("there is no cell 7");
    }

    private CellLifecycle lifecycle() {
        return store.tablets().cellLifecycle();
    }

    private Map<Long, CellStage> stages() {
        CatalogView view = store.catalog().view();
        return new TreeMap<>(view.cells());
    }

    private void move(int index, long cellId) {
        store.resharding().move(TabletBench.PATH, bench.tabletId(index), cellId);
    }

    private ReadColumns columns() {
        return ReadColumns.of(bench.table(), new int[] {0, 1});
    }

    private void commit(Map<Long, String> rows) {
        Transaction tx = store.transactions().begin(Isolation.SERIALIZABLE);
        try {
            rows.forEach((id, text) -> write(tx, id, text));
            assertThat(tx.commit()).isInstanceOf(Committed.class);
        } finally {
            tx.rollback();
        }
    }

    private void write(Transaction tx, long id, String text) {
        Value[] values = {Value.text(text)};
        tx.write(
                bench.table(),
                TabletBench.key(id),
                new RowWrite(RowWrite.Kind.UPSERT, VALUE, values));
    }
}
