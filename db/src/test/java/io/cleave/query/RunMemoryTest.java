package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.SpillFolder;
import io.cleave.function.call.Dialect;
import io.cleave.memory.MemoryBudget;
import io.cleave.memory.MemoryPool;
import io.cleave.query.StreamingTest.Counted;
import io.cleave.schema.Table;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.TestStore;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/// All runs together stay within their share of the heap, however many there are.
class RunMemoryTest {
    private static final int ROWS = 60_000;

    /// Of which 16 percent are for runs.
    private static final long HEAP_BYTES = 96L << 20;

    @TempDir Path folder;

    private final TestStore store = new TestStore();
    private HastyEnv env;
    private MemoryPool pool;
    private Database database;

    @BeforeEach
    void fillTable() {
        env = new HastyEnv(store.env());
        var budget = new MemoryBudget(HEAP_BYTES, env);
        pool = budget.runs();
        database =
                new Database(
                        store.env(),
                        1,
                        store.cluster(),
                        store.transactions(),
                        budget,
                        Optional.of(SpillFolder.open(folder, 1L << 30)),
                        BackgroundWork.NONE);
        run("CREATE TABLE t (k Int64, v Utf8, PRIMARY KEY (k))");
        Table table = store.cluster().find("/local/t").orElseThrow();
        List<KeyedWrite> batch = new ArrayList<>();
        for (long row = 0; row < ROWS; row++) {
            Bytes key = KeyCodec.encode(List.of(Primitive.INT64), Value.of(row));
            Value[] values = {Value.text("value " + row)};
            batch.add(
                    new KeyedWrite(
                            key, new RowWrite(RowWrite.Kind.REPLACE, new int[] {1}, values)));
        }
        store.transactions().bulkWrite(table, batch);
    }

    @Test
    void manyLargeGroupingsAtOnceAllEndWithinThePool() throws Exception {
        List<Callable<Long>> runs = new ArrayList<>();
        for (int index = 0; index < 12; index++) {
            runs.add(() -> run("SELECT v, COUNT(*) AS c FROM t GROUP BY v"));
            runs.add(() -> run("SELECT v, k FROM t ORDER BY v"));
            runs.add(() -> run("SELECT a.v FROM t AS a JOIN t AS b ON a.v = b.v"));
            runs.add(() -> run("SELECT DISTINCT v || 'x' FROM t"));
        }
        try (var threads = Executors.newFixedThreadPool(16)) {
            for (Future<Long> run : threads.invokeAll(runs)) {
                assertThat(run.get()).isEqualTo(ROWS);
            }
        }
        assertThat(pool.usedBytes()).as("all is given back").isZero();
        // What is counted beyond the limit: buffers of files, and the row that did not fit.
        assertThat(pool.figures().highestBytes()).isLessThan(pool.limitBytes() * 2);
    }

    @Test
    void aRunThatIsNotLetInIsRefusedWithThePoolsFigures() {
        assertThat(pool.tryTake(pool.limitBytes())).isTrue();
        env.hurries = true;
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> run("SELECT v, COUNT(*) AS c FROM t GROUP BY v"));
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused)
                .hasMessageContaining("the server's memory for runs is in use")
                .hasMessageContaining("of at most " + pool.limitBytes() + " bytes");
        pool.give(pool.limitBytes());
        assertThat(run("SELECT v, COUNT(*) AS c FROM t GROUP BY v")).isEqualTo(ROWS);
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void runsThatKeepLittleHaveABoundTogether() {
        String small = "SELECT k, v FROM t WHERE k < 100 ORDER BY v";
        long full = pool.limitBytes();
        pool.take(full);
        assertThat(run(small)).as("beside large ones").isEqualTo(100);
        long half = full / 2;
        pool.take(half);
        env.hurries = true;
        var refused = catchThrowableOfType(StatusException.class, () -> run(small));
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused).hasMessageContaining("the server's memory for runs is in use");
        pool.give(half);
        assertThat(run(small)).isEqualTo(100);
        pool.give(full);
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void whatAFunctionMakesIsCountedToo() {
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () ->
                                run(
                                        "SELECT ListLength(ListFromRange(0l, k + 900000l)) FROM t"
                                                + " LIMIT 1"));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(refused).hasMessageContaining("Memory limit exceeded");
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void textsOfListsAreCounted() {
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () ->
                                run(
                                        "SELECT ListLength(ListMap(ListFromRange(0l, k + 50l), ($i)"
                                                + " -> (String::LeftPad(CAST($i AS String),"
                                                + " 1000000u)))) FROM t LIMIT 1"));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(refused).hasMessageContaining("Memory limit exceeded");
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void theBestValuesOfAGroupAreCounted() {
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> run("SELECT TOP(String::LeftPad(v, 1000u), 1000000u) FROM t"));
        assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(refused).hasMessageContaining("Memory limit exceeded");
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void whatAggregatesHaveOfTheirRowsIsCounted() {
        assertThat(highest("SELECT MAX_BY(String::LeftPad(v, 20000u), k) FROM t GROUP BY k % 100"))
                .isGreaterThan(2_000_000);
        assertThat(highest("SELECT SOME(String::LeftPad(v, 20000u)) FROM t GROUP BY k % 100"))
                .isGreaterThan(2_000_000);
        assertThat(highest("SELECT MEDIAN(k) FROM t GROUP BY k % 100")).isGreaterThan(2_000_000);
        assertThat(highest("SELECT CountDistinctEstimate(v) FROM t GROUP BY k % 100"))
                .isGreaterThan(2_000_000);
    }

    /// What the run had of the pool at the most.
    private long highest(String text) {
        var own = new MemoryBudget(HEAP_BYTES, env);
        Database alone =
                new Database(
                        store.env(),
                        1,
                        store.cluster(),
                        store.transactions(),
                        own,
                        Optional.of(SpillFolder.open(folder, 1L << 30)),
                        BackgroundWork.NONE);
        assertThat(run(alone, text)).isEqualTo(100);
        assertThat(own.runs().usedBytes()).isZero();
        return own.runs().figures().highestBytes();
    }

    /// A clock that runs faster while somebody waits, if it is told to hurry.
    private static final class HastyEnv extends ForwardingEnv {
        private final AtomicLong skippedNanos = new AtomicLong();
        private volatile boolean hurries;

        HastyEnv(Env env) {
            super(env);
        }

        @Override
        public long nanoTime() {
            return super.nanoTime() + skippedNanos.get();
        }

        @Override
        public void await(Condition condition, Duration timeout) throws InterruptedException {
            super.await(condition, hurries ? Duration.ofMillis(1) : timeout);
            skippedNanos.addAndGet(hurries ? timeout.toNanos() : 0);
        }
    }

    private long run(String text) {
        return run(database, text);
    }

    private long run(Database on, String text) {
        var counted = new Counted();
        Texts.runAlone(
                on,
                new QueryText(text, Map.of(), Dialect.QUERY_SERVICE),
                new QueryRun(
                        new TxControl.Implicit(),
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(store.env())),
                counted);
        return counted.rows;
    }
}
