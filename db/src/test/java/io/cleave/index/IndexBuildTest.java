package io.cleave.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.codec.RowCodec;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// Indexes that are added to tables with rows, while these are written, cut, merged and moved.
class IndexBuildTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int WRITERS = 3;

    @Test
    void anIndexAgreesWithATableThatIsWrittenAndMovedWhileItIsBuilt() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            var over = new AtomicBoolean();
            var failure = new AtomicReference<Throwable>();
            List<Thread> threads = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                var random = new Random(SEED + writer);
                threads.add(IndexLoad.start(failure, over, () -> IndexLoad.write(bench, random)));
            }
            var structure = new Random(SEED - 1);
            threads.add(IndexLoad.start(failure, over, () -> IndexLoad.change(bench, structure)));
            try {
                for (int round = 0; round < 4; round++) {
                    bench.retry("ALTER TABLE t ADD INDEX i GLOBAL ON (a, b) COVER (c)");
                    String why = "-Dseed=%d, round %d".formatted(SEED, round);
                    assertThat(bench.table("t").index("i").orElseThrow().isReady()).isTrue();
                    for (int look = 0; look < 3; look++) {
                        bench.assertAgree("t", "i", why);
                    }
                    if (round < 3) {
                        bench.retry("ALTER TABLE t DROP INDEX i");
                    }
                }
            } finally {
                over.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertThat(failure.get()).as("-Dseed=%d", SEED).isNull();
            bench.assertAgree("t", "i", "-Dseed=%d, at the end".formatted(SEED));
            bench.restart();
            bench.assertAgree("t", "i", "-Dseed=%d, after a restart".formatted(SEED));
        }
    }

    @Test
    void fromWhenAnIndexHasAllRowsIsKnownAfterARestart() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            String path = "/local/t/i/" + Index.TABLE_NAME;
            long wholeFrom = bench.store.tablets().table(path).wholeFrom();
            assertThat(wholeFrom).isPositive();
            bench.restart();
            Table indexTable = bench.store.tablets().table(path);
            assertThat(indexTable.wholeFrom()).isEqualTo(wholeFrom);
            assertThat(bench.store.tablets().map(indexTable).wholeFrom()).isEqualTo(wholeFrom);
            bench.assertAgree("t", "i", "after the restart");
        }
    }

    @Test
    void aBuildThatACrashHasEndedIsDoneAnew() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            // A process that never comes to build it.
            bench.store.setIndexBuilder((_, _) -> {});
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            bench.run("UPSERT INTO t (k, a) VALUES (1, -1), (1000, -2); DELETE FROM t WHERE k = 2");
            assertThatThrownBy(() -> bench.run("SELECT k FROM t VIEW i WHERE a = 1"))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.status()).isEqualTo(Status.UNAVAILABLE));
            bench.restart();
            awaitReady(bench);
            bench.assertAgree("t", "i", "after the restart");
            assertThat(bench.store.builds().list())
                    .singleElement()
                    .satisfies(
                            build -> {
                                assertThat(build.tablePath()).isEqualTo("/local/t");
                                assertThat(build.index().name()).isEqualTo("i");
                            });
            bench.run("UPSERT INTO t (k, a) VALUES (1, -5)");
            bench.restart();
            bench.assertAgree("t", "i", "after another restart");
        }
    }

    @Test
    void aTransactionThatDoesNotKnowTheIndexDoesNotCommit() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            Table table = bench.table("t");
            Transaction old = bench.store.transactions().begin(Isolation.SERIALIZABLE);
            old.write(
                    table,
                    IndexBench.key(Primitive.INT32, Value.of(7)),
                    new RowWrite(RowWrite.Kind.UPSERT, new int[] {1}, new Value[] {Value.of(-7)}));
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            assertThat(old.commit()).isInstanceOf(CommitOutcome.Conflict.class);
            bench.assertAgree("t", "i", "after the conflict");
        }
    }

    /// The transaction has compared its tables with the catalog, and is held up before its cell.
    @Test
    void theTabletRefusesACommitThatWasMadeBeforeTheIndexWasAdded() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            Table old = bench.table("t");
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            var outdated = new CommitResult.Outdated(old.id());
            assertThat(bench.commit(old, 7, 1, Value.of(-7))).isEqualTo(outdated);
            Bytes key = IndexBench.key(Primitive.INT32, Value.of(7));
            bench.store.resharding().split("/local/t", List.of(key));
            assertThat(bench.commit(old, 7, 1, Value.of(-7))).isEqualTo(outdated);
            bench.restart();
            assertThat(bench.commit(old, 7, 1, Value.of(-7))).isEqualTo(outdated);
            bench.assertAgree("t", "i", "after the refusals");
            bench.run("UPSERT INTO t (k, a) VALUES (7, -7)");
            bench.assertAgree("t", "i", "after a write that knows the index");
        }
    }

    @Test
    void aLateWriteThatDoesNotKnowTheIndexDoesNotFollowOneThatDoes() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            Table old = bench.table("t");
            var mayBuild = new CountDownLatch(1);
            Thread adding = addIndex(bench, mayBuild);
            bench.run("UPDATE t SET a = -1 WHERE k = 7");
            bench.assertCommitted(old, 7, 1, Value.of(7));
            bench.run("DELETE FROM t WHERE k = 8");
            bench.assertCommitted(old, 8, 1, Value.of(8));
            mayBuild.countDown();
            adding.join();
            assertThat(bench.table("t").index("i").orElseThrow().isReady()).isTrue();
            bench.assertAgree("t", "i", "after late writes");
            assertThat(bench.run("SELECT k FROM t VIEW i WHERE a = 7 AND k = 7")).hasSize(1);
        }
    }

    /// The transaction may still commit its writes to the indexed table, so the build must not take
    /// its snapshot yet.
    @Test
    void aBuildWaitsForWhatIsPreparedInTheIndexTableThatItReplaces() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            var mayBuild = new CountDownLatch(1);
            Thread adding = addIndex(bench, mayBuild);
            Table replaced = bench.table("t/i/" + Index.TABLE_NAME);
            Route route = bench.store.tablets().map(replaced).routes().getFirst();
            var cell = (Cell) route.cell();
            long id = bench.store.tablets().timeline().newId();
            assertThat(prepare(cell, route, id, replaced)).isEqualTo(new PrepareResult.Ready());
            mayBuild.countDown();
            while (bench.table("t/i/" + Index.TABLE_NAME).id() == replaced.id()) {
                Thread.onSpinWait();
            }
            adding.join(300);
            assertThat(bench.table("t").index("i").orElseThrow().isReady()).isFalse();
            long late = bench.store.tablets().timeline().newId();
            assertThat(prepare(cell, route, late, replaced))
                    .isEqualTo(new PrepareResult.Refused(new CommitResult.Outdated(replaced.id())));
            cell.transactions().outcome(id, new CommitDecision.Abort());
            adding.join();
            assertThat(bench.table("t").index("i").orElseThrow().isReady()).isTrue();
            bench.assertAgree("t", "i", "after the wait");
        }
    }

    /// A part of a transaction whose coordinator is another cell.
    private static PrepareResult prepare(Cell cell, Route route, long id, Table table) {
        var change = new KeyedChange(Bytes.utf8("x"), RowCodec.ERASE);
        var writes = List.of(new TabletWrites(route.tabletId(), List.of(change), table.version()));
        long coordinator = cell.id() == 1 ? 2 : 1;
        return cell.transactions()
                .prepare(
                        new Preparation(
                                id,
                                coordinator,
                                List.of(cell.id()),
                                writes,
                                LockOwner.NOBODY,
                                null));
    }

    @Test
    void anIndexIsBuiltWhateverItsTableIsCalledMeanwhile() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            var mayBuild = new CountDownLatch(1);
            Thread adding = addIndex(bench, mayBuild);
            bench.run("ALTER TABLE t RENAME TO u");
            // Another index of this name is none of the build's business.
            bench.run("CREATE TABLE t (k Int32, a Int32, PRIMARY KEY (k), INDEX i GLOBAL ON (a))");
            bench.run("UPSERT INTO t (k, a) VALUES (1, 1)");
            mayBuild.countDown();
            adding.join();
            assertThat(bench.table("u").index("i").orElseThrow().isReady()).isTrue();
            bench.assertAgree("u", "i", "renamed");
            bench.assertAgree("t", "i", "the other");
        }
    }

    @Test
    void anIndexWhoseTableIsTruncatedBeforeItIsBuiltIsReady() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            var failed = new AtomicReference<Throwable>();
            var mayBuild = new CountDownLatch(1);
            Thread adding = addIndex(bench, mayBuild);
            adding.setUncaughtExceptionHandler((_, failure) -> failed.set(failure));
            bench.run("TRUNCATE TABLE t");
            bench.run("UPSERT INTO t (k, a) VALUES (1, 1)");
            mayBuild.countDown();
            adding.join();
            assertThat(failed.get()).isNull();
            assertThat(bench.table("t").index("i").orElseThrow().isReady()).isTrue();
            bench.assertAgree("t", "i", "truncated");
        }
    }

    @Test
    void whoReadsAnEarlierMomentDoesNotSeeHalfATable() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            Transaction early = bench.store.transactions().begin(Isolation.SERIALIZABLE);
            ReadColumns ofTable = ReadColumns.of(bench.table("t"), new int[] {0});
            Bytes key = IndexBench.key(Primitive.INT32, Value.of(7));
            assertThat(early.get(key, ofTable)).isNotNull();
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            bench.run("CREATE TABLE copy (PRIMARY KEY (k)) AS SELECT k, a FROM t");
            for (String path : List.of("t/i/" + Index.TABLE_NAME, "copy")) {
                ReadColumns columns = ReadColumns.of(bench.table(path), new int[] {0});
                List<ThrowableAssert.ThrowingCallable> reads =
                        List.of(
                                () -> early.get(key, columns),
                                () -> early.getAll(List.of(key), columns),
                                () -> early.scan(KeyRange.ALL, columns, Direction.FORWARD),
                                () -> early.scanBatches(KeyRange.ALL, columns),
                                () -> early.scanParts(List.of(KeyRange.ALL), columns, 1 << 20));
                for (ThrowableAssert.ThrowingCallable read : reads) {
                    assertThatThrownBy(read)
                            .isInstanceOfSatisfying(
                                    StatusException.class,
                                    e -> assertThat(e.status()).isEqualTo(Status.ABORTED));
                }
            }
            assertThat(early.get(key, ofTable)).isNotNull();
            early.rollback();
            bench.store.resharding().split("/local/copy", List.of(key));
            assertThat(bench.run("SELECT k FROM copy")).hasSize(IndexLoad.KEYS);
            bench.assertAgree("t", "i", "later");
        }
    }

    @Test
    void whoHasReadATableDoesNotSeeItTruncated() {
        try (var bench = new IndexBench()) {
            bench.run(
                    "CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k), INDEX i"
                            + " GLOBAL ON (a))");
            IndexLoad.fill(bench);
            Transaction early = bench.store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
            Bytes key = IndexBench.key(Primitive.INT32, Value.of(7));
            assertThat(early.get(key, ReadColumns.of(bench.table("t"), new int[] {0}))).isNotNull();
            bench.run("TRUNCATE TABLE t");
            for (String path : List.of("t", "t/i/" + Index.TABLE_NAME)) {
                ReadColumns columns = ReadColumns.of(bench.table(path), new int[] {0});
                assertThatThrownBy(() -> early.get(key, columns))
                        .isInstanceOfSatisfying(
                                StatusException.class,
                                e -> assertThat(e.status()).isEqualTo(Status.ABORTED));
            }
            early.rollback();
            assertThat(bench.run("SELECT k FROM t")).isEmpty();
            assertThat(bench.run("SELECT k FROM t VIEW i WHERE a = 7")).isEmpty();
            bench.run("UPSERT INTO t (k, a) VALUES (1, 7)");
            assertThat(bench.run("SELECT k FROM t VIEW i WHERE a = 7")).hasSize(1);
        }
    }

    /// Begins to add an index, and returns when those who compile a query know it. The build waits
    /// for the latch.
    private static Thread addIndex(IndexBench bench, CountDownLatch mayBuild) {
        bench.store.setIndexBuilder(
                (table, indexTable) -> {
                    try {
                        mayBuild.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    bench.store.builds().build(table, indexTable);
                });
        Thread adding =
                Thread.ofVirtual()
                        .start(() -> bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)"));
        while (bench.table("t").index("i").isEmpty()) {
            Thread.onSpinWait();
        }
        return adding;
    }

    @Test
    void duplicatesEndTheBuildOfAUniqueIndex() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            assertThatThrownBy(() -> bench.run("ALTER TABLE t ADD INDEX i GLOBAL UNIQUE ON (a)"))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> {
                                assertThat(e.status()).isEqualTo(Status.PRECONDITION_FAILED);
                                assertThat(e.getMessage())
                                        .matches(
                                                ".*Duplicate key found in unique index 'i': a ="
                                                        + " -?\\d+");
                            });
            assertThat(bench.table("t").indexes()).isEmpty();
            assertThat(bench.store.builds().list())
                    .singleElement()
                    .satisfies(build -> assertThat(build.state()).isEqualTo(BuildState.REJECTED));
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL UNIQUE ON (k, a)");
            bench.assertAgree("t", "i", "unique with the key");
        }
    }

    @Test
    void aLargeIndexIsCutAsItsSettingsSay() {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            bench.store.setIndexBuilder((_, _) -> {});
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            bench.run(
                    "ALTER TABLE t ALTER INDEX i SET (AUTO_PARTITIONING_MIN_PARTITIONS_COUNT = 4)");
            bench.restart();
            awaitReady(bench);
            Table indexTable = bench.table("t/i/" + Index.TABLE_NAME);
            assertThat(indexTable.options().partitioning().minCount()).isEqualTo(4);
            assertThat(bench.store.tablets().infos(indexTable)).hasSize(4);
            bench.assertAgree("t", "i", "cut");
        }
    }

    private static void awaitReady(IndexBench bench) {
        while (!bench.table("t").index("i").orElseThrow().isReady()) {
            Thread.onSpinWait();
        }
    }
}
