package io.cleave.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.schema.Index;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// ASYNC indexes follow their tables, whatever happens to either.
class AsyncIndexTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int WRITERS = 3;
    private static final int WRITES_A_ROUND = 200;
    private static final String TABLE =
            "CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k), INDEX i GLOBAL"
                    + " ASYNC ON (a, b) COVER (c))";

    @Test
    void anAsyncIndexFollowsThroughSplitsMovesAndRestarts() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            IndexLoad.fill(bench);
            for (int round = 0; round < 5; round++) {
                String why = "-Dseed=%d, round %d".formatted(SEED, round);
                load(bench, round, why);
                if (round % 2 == 0) {
                    // Whatever was not followed yet is found by the next start.
                    bench.restart();
                }
                bench.assertFollows("t", "i", why);
            }
        }
    }

    @Test
    void anAsyncIndexIsBuiltWhileItsTableIsWrittenAndThenFollows() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
            IndexLoad.fill(bench);
            var over = new AtomicBoolean();
            var failure = new AtomicReference<Throwable>();
            List<Thread> threads = threads(bench, 0, over, failure, new AtomicInteger());
            try {
                for (int round = 0; round < 3; round++) {
                    bench.retry("ALTER TABLE t ADD INDEX i GLOBAL ASYNC ON (a, b) COVER (c)");
                    assertThat(bench.table("t").index("i").orElseThrow().isReady()).isTrue();
                    if (round < 2) {
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
            bench.assertFollows("t", "i", "-Dseed=%d, built".formatted(SEED));
            bench.restart();
            bench.assertFollows("t", "i", "-Dseed=%d, after a restart".formatted(SEED));
        }
    }

    /// Writes and changes tablets for a while.
    private static void load(IndexBench bench, int round, String why) throws Exception {
        var over = new AtomicBoolean();
        var failure = new AtomicReference<Throwable>();
        var written = new AtomicInteger();
        List<Thread> threads = threads(bench, round, over, failure, written);
        while (written.get() < WRITES_A_ROUND && failure.get() == null) {
            Thread.onSpinWait();
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).as(why).isNull();
    }

    private static List<Thread> threads(
            IndexBench bench,
            int round,
            AtomicBoolean over,
            AtomicReference<Throwable> failure,
            AtomicInteger written) {
        List<Thread> threads = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            var random = new Random(SEED + 100L * round + writer);
            threads.add(
                    IndexLoad.start(
                            failure,
                            over,
                            () -> {
                                IndexLoad.write(bench, random);
                                written.incrementAndGet();
                            }));
        }
        var structure = new Random(SEED - 1 - round);
        threads.add(IndexLoad.start(failure, over, () -> IndexLoad.change(bench, structure)));
        return threads;
    }

    @Test
    void aWriteDoesNotTouchTheIndex() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            String indexPath = "/local/t/i/" + Index.TABLE_NAME;
            var tablets = bench.store.tablets();
            var resharding = bench.store.resharding();
            resharding.move("/local/t", tablets.infos(bench.table("t")).getFirst().tabletId(), 1);
            Index index = bench.table("t").index("i").orElseThrow();
            assertThat(index.isReady()).isTrue();
            resharding.move(
                    indexPath, tablets.infos(tablets.table(indexPath)).getFirst().tabletId(), 2);
            IndexLoad.fill(bench);
            bench.run("UPDATE t SET a = a + 1 WHERE k < 10");
            assertThat(bench.store.transactions().counters().severalCells()).isZero();
            bench.assertFollows("t", "i", "in another cell");
        }
    }

    /// Zeros take two bytes in a key, and 16 MiB are more than a memtable takes.
    @Test
    void aRowWhoseEntryWouldHaveTooLongAKeyIsLeftOutAndComesWhenItIsShorter() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            bench.run(
                    "UPSERT INTO t (k, a, b, c) VALUES (1, 1, 'b'u, 1), (2, 2,"
                            + " CAST(ListFold(ListFromRange(0, 23), '\\0', ($i, $s) -> ($s || $s))"
                            + " AS Utf8), 2)");
            bench.awaitFollowed();
            bench.run("UPDATE t SET a = 3 WHERE k = 1");
            bench.restart();
            bench.awaitFollowed();
            bench.run("UPDATE t SET b = 'shorter'u WHERE k = 2");
            bench.assertFollows("t", "i", "when all keys are short again");
        }
    }

    @Test
    void whatWasWrittenBeforeACrashAndNotFollowedIsFoundByTheNextStart() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            IndexLoad.fill(bench);
            bench.awaitFollowed();
            // A process that does not come to follow.
            bench.store.builds().abandon();
            bench.run("UPDATE t SET a = a + 1000 WHERE k < 50");
            bench.run("UPDATE t SET a = a + 1000 WHERE k < 50");
            bench.run("DELETE FROM t WHERE k >= 350");
            bench.store.tablets().compact("/local/t");
            bench.restart();
            bench.assertFollows("t", "i", "after the restart");
        }
    }

    @Test
    void aCleanStopLosesNothingThatWasNotFollowed() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            IndexLoad.fill(bench);
            for (int round = 0; round < 8; round++) {
                bench.run("UPDATE t SET a = a + 1 WHERE k < 20");
                bench.awaitFollowed();
                // It has something to store, and something to do.
                bench.run("UPDATE t SET a = a + 100 WHERE k < %d".formatted(10 * round + 10));
                bench.store.builds().close();
                bench.store.tablets().compact("/local/t");
                bench.restart();
                bench.assertFollows("t", "i", "round " + round);
            }
        }
    }

    @Test
    void theQueueOfAnIndexThatIsGoneIsGone() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            IndexLoad.fill(bench);
            bench.run("ALTER TABLE t RENAME TO u");
            bench.run("UPDATE u SET a = -1 WHERE k < 10");
            bench.assertFollows("u", "i", "renamed");
            bench.run("ALTER TABLE u RENAME INDEX i TO j");
            bench.run("UPDATE u SET a = -2 WHERE k < 10");
            bench.assertFollows("u", "j", "its index renamed");
            bench.run("TRUNCATE TABLE u");
            bench.run("UPSERT INTO u (k, a) VALUES (1, 1)");
            bench.assertFollows("u", "j", "truncated");
            assertThat(followed(bench)).containsExactly("/local/u/j");
            bench.run("ALTER TABLE u DROP INDEX j");
            assertThat(followed(bench)).isEmpty();
            bench.run("ALTER TABLE u ADD INDEX k GLOBAL ASYNC ON (c)");
            bench.assertFollows("u", "k", "added");
            bench.restart();
            bench.assertFollows("u", "k", "after a restart");
            bench.run("DROP TABLE u");
            assertThat(followed(bench)).isEmpty();
        }
    }

    private static List<String> followed(IndexBench bench) {
        return bench.run("SELECT Path || '/'u || IndexName FROM `.sys/async_indexes`").stream()
                .map(row -> ((Value.Text) row.getFirst()).value())
                .toList();
    }

    @Test
    void theLagIsShown() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            IndexLoad.fill(bench);
            bench.awaitFollowed();
            List<Value> row =
                    bench.run(
                                    "SELECT Lag, BacklogRows, FollowedRows, LagP99 >="
                                            + " Interval('PT0.001S') FROM `.sys/async_indexes`")
                            .getFirst();
            assertThat(row)
                    .containsExactly(
                            Value.of(0), Value.of(0), Value.of(IndexLoad.KEYS), Value.bool(true));
        }
    }

    @Test
    void aFollowerThatCannotKeepUpWithItsQueueStillFindsEverything() throws Exception {
        try (var bench = new IndexBench()) {
            bench.store.builds().abandon();
            // Every transaction is more than it takes.
            try (var followers =
                    new IndexFollowers(
                            bench.store.tablets(),
                            bench.store.indexes(),
                            bench.store.transactions(),
                            16,
                            bench.store.env())) {
                bench.run(TABLE);
                IndexLoad.fill(bench);
                load(bench, 0, "-Dseed=" + SEED);
                while (followers.list().stream()
                        .anyMatch(info -> info.backlogRows() > 0 || info.lagMicros() > 0)) {
                    Thread.onSpinWait();
                }
                bench.assertAgree("t", "i", "-Dseed=" + SEED);
            }
        }
    }

    @Test
    void bulkRowsGoPastTheIndex() {
        try (var bench = new IndexBench()) {
            bench.run(TABLE);
            bench.assertCommitted(bench.table("t"), 7, 1, Value.of(5));
            bench.assertFollows("t", "i", "past the transaction");
            assertThat(bench.run("SELECT COUNT(*) FROM `t/i/indexImplTable`").getFirst())
                    .containsExactly(Value.of(1));
        }
    }
}
