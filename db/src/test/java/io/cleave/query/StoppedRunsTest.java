package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.SystemEnv;
import io.cleave.exec.ProgramRunner;
import io.cleave.exec.QueryBench;
import io.cleave.exec.ResultSink;
import io.cleave.exec.RunOptions;
import io.cleave.exec.SpillFolder;
import io.cleave.function.call.Dialect;
import io.cleave.plan.PlanText;
import io.cleave.plan.Program;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.testkit.TestMemory;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// A run whose client has left ends soon, whatever it is at: after some more rows that it reads,
/// writes or gives away, and some more checks where it does none of that.
class StoppedRunsTest {
    private static final int ROWS = 12_000;

    /// What is read, written or given away after the client has left: some batches, for each thread
    /// has one in hand.
    private static final int MOST_ROWS_AFTER = 2_500;

    private static final RunOptions BY_ROW = RunOptions.DEFAULT.byRow();

    @TempDir private Path folder;

    private final RealStore store = new RealStore(false);

    @BeforeEach
    void fill() {
        answer("CREATE TABLE t (k Int32, g Int32, v Utf8, PRIMARY KEY (k))");
        answer("CREATE TABLE written (k Int32, g Int32, v Utf8, PRIMARY KEY (k))");
        answer(
                "UPSERT INTO t SELECT * FROM AS_TABLE(ListMap(ListFromRange(0, "
                        + ROWS
                        + "), ($i) -> (<|k: $i, g: $i * 7919 % 500,"
                        + " v: 'value 'u || CAST($i * 31 % 12000 AS Utf8)|>)))");
    }

    @AfterEach
    void close() {
        store.store.close();
    }

    private void answer(String text) {
        assertThat(new QueryBench<>(store).answer(List.of(text))).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t",
                "SELECT k + 1 AS n FROM t WHERE g * 2 < 700",
                "SELECT * FROM t WHERE v = 'none'",
                "SELECT * FROM t ORDER BY k DESC",
                "SELECT g, COUNT(*), MAX(v) FROM t GROUP BY g",
                "SELECT v, SOME(k) AS s FROM t GROUP BY v",
                "SELECT v, g, COUNT(*) AS n FROM t GROUP BY ROLLUP (v, g)",
                "SELECT * FROM t ORDER BY v",
                "SELECT * FROM t ORDER BY v LIMIT 20",
                "SELECT * FROM t LIMIT 20000 OFFSET 11990",
                "SELECT DISTINCT v FROM t",
                "SELECT v, g FROM t UNION ALL SELECT v, g FROM t",
                "SELECT v FROM t UNION SELECT v FROM t",
                "SELECT v FROM t INTERSECT SELECT v FROM t",
                "SELECT v FROM t EXCEPT SELECT v FROM t WHERE k < 100",
                "SELECT k, ROW_NUMBER() OVER (PARTITION BY g ORDER BY v) AS r FROM t",
                "SELECT k, SUM(g) OVER (ORDER BY k ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING) AS s"
                        + " FROM t",
                "SELECT k, FIRST_VALUE(v) OVER (ORDER BY v) AS f, COUNT(*) OVER () AS n FROM t",
                "SELECT k, item FROM (SELECT k, ListFromRange(0, 5) AS l FROM t)"
                        + " FLATTEN LIST BY l AS item",
                "SELECT a.k, b.v FROM t AS a JOIN t AS b ON a.g = b.g WHERE b.k < 1000",
                "SELECT a.k, b.v FROM t AS a FULL JOIN t AS b ON a.v = b.v",
                "SELECT a.k, b.k FROM t AS a CROSS JOIN t AS b WHERE b.k < 5",
                "SELECT a.k, b.v FROM t AS a JOIN ANY t AS b ON a.g = b.g",
                "SELECT a.k FROM t AS a LEFT ONLY JOIN t AS b ON a.v = b.v",
                "SELECT k FROM t WHERE g IN (SELECT g FROM t WHERE v > 'value 5')",
                "UPSERT INTO written SELECT * FROM t",
                "INSERT INTO written SELECT * FROM t",
                "REPLACE INTO written SELECT * FROM t",
                "UPDATE t SET g = g + 1 WHERE k >= 0",
                "DELETE FROM t WHERE k >= 0",
                "DELETE FROM t ON SELECT k FROM t",
                "UPSERT INTO written SELECT * FROM t RETURNING *",
            })
    void everyKindOfOperatorEnds(String text) {
        assertEnds(text, BY_ROW, compile(text, OptionalLong.empty()));
        assertEnds(
                text,
                RunOptions.DEFAULT.withPartBytes(32 << 10),
                compile(text, OptionalLong.empty()));
    }

    @Test
    void joinsThatLookUpEnd() {
        String text = "SELECT a.k, b.v FROM t AS a JOIN t AS b ON a.g = b.k";
        Program program = compile(text, OptionalLong.empty());
        assertThat(new PlanText(store).tree(program)).contains("LookupJoin");
        assertEnds(text, BY_ROW, program);
    }

    @Test
    void joinsThatMergeEnd() {
        String text = "SELECT a.k, b.v FROM t AS a JOIN t AS b ON a.k = b.k";
        Program program = compile(text, OptionalLong.of(1_000_000));
        assertThat(new PlanText(store).tree(program)).contains("MergeJoin");
        assertEnds(text, BY_ROW, program);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t ORDER BY v",
                "SELECT v, COUNT(*) AS n FROM t GROUP BY v",
                "SELECT DISTINCT v FROM t",
                "SELECT v FROM t INTERSECT SELECT v FROM t",
                "SELECT a.k, b.v FROM t AS a JOIN t AS b ON a.v = b.v",
                "SELECT a.k, b.v FROM t AS a FULL JOIN t AS b ON a.v = b.v",
                "SELECT k, SUM(g) OVER (ORDER BY g ROWS BETWEEN 500 PRECEDING AND 500 FOLLOWING) AS"
                        + " s FROM t",
                "UPDATE t SET g = g + 1 WHERE k >= 0",
            })
    void whatGoesToDiskEnds(String text) {
        assertEnds(text, BY_ROW.withMemory(512 << 10), compile(text, OptionalLong.empty()));
    }

    /// No row is touched in here for as long as it takes.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT COUNT(*) FROM t AS a CROSS JOIN t AS b WHERE a.k + b.k < 0",
                "SELECT COUNT(*) FROM t AS a JOIN t AS b ON a.g = b.g WHERE a.k + b.k < 0",
                "SELECT ListFold(ListFromRange(0, 1000000), 0l, ($i, $s) -> ($s + $i))",
                "SELECT ListLength(ListFilter(ListFromRange(0, 1000000), ($i) -> ($i % 2 = 1)))",
                "SELECT ListSum(ListMap(ListFromRange(0, 1000), ($i) -> ("
                        + "ListSum(ListFromRange(0, 1000 + $i)))))",
                "SELECT SUM(k) FROM t WHERE ListSum(ListFromRange(0, k)) < 0",
                "SELECT ListLength(ListFromRange(0, 9000000))",
                "SELECT String::LevensteinDistance(ListConcat(ListReplicate('abcdefghij', 20000)),"
                        + " ListConcat(ListReplicate('bcdefghija', 20000)))",
                "SELECT COUNT(*) FROM (SELECT k, ListFromRange(0, 100) AS l FROM t)"
                        + " FLATTEN LIST BY l AS item WHERE item < 0",
            })
    void whatWorksWithoutRowsLooksToo(String text) {
        assertThat(
                        new Run(RunOptions.DEFAULT, compile(text, OptionalLong.empty()))
                                .stoppedAtCheck(20))
                .as(text)
                .isLessThanOrEqualTo(MOST_ROWS_AFTER);
    }

    private Program compile(String text, OptionalLong estimate) {
        var tables =
                new Tables() {
                    @Override
                    public Optional<Table> find(String path) {
                        return store.find(path);
                    }

                    @Override
                    public OptionalLong estimatedRows(Table table, KeyRange range) {
                        return estimate;
                    }

                    @Override
                    public int tabletCount(Table table, KeyRange range) {
                        return 1;
                    }

                    @Override
                    public Set<Long> cells(Table table, KeyRange range) {
                        return Set.of(1L);
                    }
                };
        return new Compiler()
                .compile(
                        text,
                        Map.of(),
                        new CompileOptions("/local", Dialect.QUERY_SERVICE),
                        tables);
    }

    /// At several places: while it reads, when all is read, and while it gives rows away.
    private void assertEnds(String text, RunOptions options, Program program) {
        int all = new Run(options, program).toItsEnd();
        assertThat(all).as(text).isGreaterThan(2 * MOST_ROWS_AFTER);
        for (int eighth = 1; eighth < 8; eighth += 2) {
            int at = (int) ((long) all * eighth / 8);
            if (at < all - MOST_ROWS_AFTER) {
                assertThat(new Run(options, program).stoppedAtRow(at))
                        .as("rows after row %d of %d: %s", at, all, text)
                        .isLessThanOrEqualTo(MOST_ROWS_AFTER);
            }
        }
    }

    private final class Run {
        private final RunOptions options;
        private final Program program;
        private final Cancellation cancellation = Cancellation.byDefault(new SystemEnv());
        private final AtomicInteger rows = new AtomicInteger();
        private final AtomicInteger checks = new AtomicInteger();
        private volatile int stopRow = Integer.MAX_VALUE;
        private volatile int stopCheck = Integer.MAX_VALUE;

        /// How many rows there were when it was cancelled.
        private volatile int rowsBefore;

        Run(RunOptions options, Program program) {
            this.options = options;
            this.program = program;
        }

        int toItsEnd() {
            run();
            return rows.get();
        }

        /// How many rows there are after this one.
        int stoppedAtRow(int row) {
            stopRow = row;
            assertFails(Status.CANCELLED, "by the client", this::run);
            return rows.get() - rowsBefore;
        }

        int stoppedAtCheck(int check) {
            stopCheck = check;
            assertFails(Status.CANCELLED, "by the client", this::run);
            return rows.get() - rowsBefore;
        }

        private void touched(int count) {
            int before = rows.getAndAdd(count);
            if (before < stopRow && before + count >= stopRow) {
                cancel();
            }
        }

        private void check() {
            if (checks.incrementAndGet() == stopCheck) {
                cancel();
            }
            cancellation.check();
        }

        private void cancel() {
            rowsBefore = rows.get();
            cancellation.cancel();
        }

        private void run() {
            var counted = new CountedTransaction(store.begin(), this::touched);
            var views =
                    new SystemViews(
                            store.store.cluster(),
                            1,
                            List::of,
                            Optional.empty(),
                            Optional.empty(),
                            List.of());
            try {
                new ProgramRunner(
                                options,
                                TestMemory.runs(),
                                new SystemEnv(),
                                2,
                                Optional.of(SpillFolder.open(folder, 64 << 20)))
                        .run(
                                program,
                                new RunTransaction(counted, views, cancellation),
                                Map.of(),
                                () -> 0,
                                new SplittableRandom(1),
                                "",
                                new Taken(),
                                this::check);
            } finally {
                counted.rollback();
            }
        }

        /// Results that are looked at by nobody but the counter.
        private final class Taken implements ResultSink {
            @Override
            public void begin(int resultIndex, ResultShape shape) {}

            @Override
            public void row(int resultIndex, Value[] row) {
                touched(1);
            }

            @Override
            public void end(int resultIndex) {}
        }
    }
}
