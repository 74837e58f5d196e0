package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.ProgramRunner;
import io.cleave.exec.QueryBench;
import io.cleave.exec.ResultSink;
import io.cleave.exec.RunOptions;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.view.SystemViews;
import io.cleave.testkit.TestMemory;
import io.cleave.value.Value;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// How much of a table is read for a LIMIT, and that the parts of a scan keep what they should.
class PartLimitTest {
    private static final int ROWS = 20_000;

    private final RealStore store = new RealStore(true);
    private final QueryBench<RealStore> batches =
            new QueryBench<>(store, RunOptions.DEFAULT.withPartBytes(64 << 10));
    private final QueryBench<RealStore> rows = new QueryBench<>(store, RunOptions.DEFAULT.byRow());

    @BeforeEach
    void fill() {
        assertThat(rows.answer(List.of("CREATE TABLE t (k Int32, v Int32, PRIMARY KEY (k))")))
                .isEqualTo("ok");
        assertThat(
                        rows.answer(
                                List.of(
                                        """
                                        UPSERT INTO t SELECT k, k * 7919 % 20000 AS v
                                        FROM AS_TABLE(ListMap(ListFromRange(0, 20000),
                                            ($k) -> (AsStruct($k AS k))))\
                                        """)))
                .isEqualTo("ok");
    }

    @Test
    void theFirstRowsOfAnOrderAreThoseOfAllParts() {
        for (String query :
                List.of(
                        "SELECT k, v FROM t ORDER BY v LIMIT 5",
                        "SELECT k, v FROM t WHERE k % 3 = 1 ORDER BY v DESC LIMIT 7 OFFSET 4",
                        "SELECT k FROM t ORDER BY v % 2, v % 3 DESC LIMIT 20",
                        "SELECT k + 1 FROM t ORDER BY v % 2 LIMIT 3",
                        "SELECT k FROM t ORDER BY v LIMIT 0")) {
            assertThat(batches.answer(List.of(query)))
                    .as(query)
                    .isEqualTo(rows.answer(List.of(query)));
        }
    }

    @Test
    void partsEndWhenThoseBeforeThemHaveEnough() {
        for (String where : List.of("v % 1000 = 3", "k = 15000 OR k = 16000", "v < 0", "k >= 0")) {
            String query = "SELECT k FROM t WHERE " + where + " LIMIT 2";
            assertThat(batches.answer(List.of(query)))
                    .as(query)
                    .isEqualTo(rows.answer(List.of(query)));
        }
    }

    @Test
    void aLimitIsReachedWithoutTheRestOfTheTable() {
        assertThat(read("SELECT k FROM t WHERE v >= 0 LIMIT 2")).isLessThan(100);
        assertThat(read("SELECT k FROM t WHERE k % 15000 = 14999 LIMIT 1"))
                .as("the rows in order, then from the first again")
                .isBetween(15_000L, 27_000L);
        assertThat(read("SELECT k FROM t WHERE v < 0 LIMIT 1")).isGreaterThan(ROWS);
    }

    /// How many rows it reads when one thread reads the parts.
    private long read(String query) {
        var transaction =
                new RunTransaction(
                        store.beginReading(),
                        new SystemViews(
                                store.store.cluster(),
                                1,
                                List::of,
                                Optional.empty(),
                                Optional.empty(),
                                List.of()),
                        Cancellation.byDefault(store.store.env()));
        try {
            new ProgramRunner(RunOptions.DEFAULT.withPartBytes(1 << 20), TestMemory.runs())
                    .run(
                            batches.compile(query, Map.of()),
                            transaction,
                            Map.of(),
                            () -> 0,
                            new SplittableRandom(1),
                            new Nobody());
            return transaction.accesses().getFirst().readRows();
        } finally {
            transaction.rollback();
        }
    }

    private static final class Nobody implements ResultSink {
        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {}

        @Override
        public void end(int resultIndex) {}
    }
}
