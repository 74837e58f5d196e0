package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.plan.Program.ResultShape;
import io.cleave.testkit.TestStore;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// What `.sys` says of queries and sessions, with a clock that is set by hand.
class QueryViewsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualEnv env = new ManualEnv();
    private final TestStore store = new TestStore(2);
    private final Database database = new Database(env, store.tree(), store.transactions(), 7);

    @AfterEach
    void close() {
        store.close();
    }

    private List<List<Value>> run(String text) {
        return Texts.run(database, env, text);
    }

    private static Value of(long number) {
        return Value.of(number);
    }

    @Test
    void theRunsOfAMinuteAreSummedByText() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Utf8, PRIMARY KEY (k))");
        run("UPSERT INTO t (k, v) VALUES (1, \"a\"), (2, \"bb\"), (3, \"ccc\")");
        String read = "SELECT v FROM t WHERE k >= 2";
        run(read);
        run(read);
        run("DELETE FROM t WHERE k = 1");
        // Not before the minute is over.
        String figures =
                "SELECT Count, SumReadRows, MinReadRows, MaxReadRows, SumUpdateRows, SumDeleteRows"
                        + " FROM `.sys/query_metrics_one_minute` WHERE QueryText = '%s'";
        assertThat(run(figures.formatted(read))).isEmpty();
        env.pass(MINUTE);
        assertThat(run(figures.formatted(read)))
                .containsExactly(List.of(of(2), of(4), of(2), of(2), of(0), of(0)));
        assertThat(run(figures.formatted("DELETE FROM t WHERE k = 1")))
                .allSatisfy(row -> assertThat(row.getLast()).isEqualTo(of(1)));
        env.pass(MINUTE);
        run(read);
        env.pass(MINUTE);
        assertThat(run(figures.formatted(read))).hasSize(2);
        env.pass(Duration.ofHours(7));
        assertThat(run(figures.formatted(read))).isEmpty();
    }

    @Test
    void whatIsKeptCompiledIsSeenOnce() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Utf8, PRIMARY KEY (k))");
        String read = "SELECT v FROM t WHERE k >= 2";
        run(read);
        run(read);
        String seen =
                "SELECT NodeId, Query, IsTruncated, CompiledAt IS NOT NULL, AccessCount, Warnings"
                        + " FROM `.sys/compile_cache_queries` WHERE Query LIKE 'SELECT v%'";
        assertThat(run(seen))
                .containsExactly(
                        List.of(
                                of(7),
                                Value.text(read),
                                Value.Bool.FALSE,
                                Value.Bool.TRUE,
                                Value.Null.NULL,
                                Value.text("")));
        // Each has an id of its own, this one too; changes of the schema are not kept.
        assertThat(run("SELECT COUNT(DISTINCT QueryId) FROM `.sys/compile_cache_queries`"))
                .containsExactly(List.of(of(3)));
    }

    @Test
    void bytesAreThoseOfTheValues() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Utf8, PRIMARY KEY (k))");
        run("UPSERT INTO t (k, v) VALUES (1, \"" + "x".repeat(1000) + "\")");
        run("SELECT v FROM t WHERE k = 1");
        run("SELECT v FROM t");
        run("SELECT MAX(v) FROM t");
        env.pass(MINUTE);
        List<List<Value>> bytes =
                run(
                        "SELECT SumReadBytes FROM `.sys/query_metrics_one_minute`"
                                + " WHERE QueryText LIKE 'SELECT%' AND QueryText NOT LIKE '%sys%'");
        assertThat(bytes).hasSize(3);
        assertThat(bytes)
                .allSatisfy(
                        row ->
                                assertThat(((Value.Int) row.getFirst()).value())
                                        .isBetween(1000L, 1100L));
        assertThat(
                        run(
                                "SELECT SumUpdateBytes FROM `.sys/query_metrics_one_minute`"
                                        + " WHERE QueryText LIKE 'UPSERT%'"))
                .allSatisfy(
                        row ->
                                assertThat(((Value.Int) row.getFirst()).value())
                                        .isBetween(1000L, 1100L))
                .hasSize(1);
    }

    @Test
    void ofAMinuteSoManyTextsAreShown() {
        for (int number = 0; number < QueryMetrics.MAX_TEXTS + 50; number++) {
            run("SELECT " + number);
        }
        env.pass(MINUTE);
        assertThat(run("SELECT COUNT(*), MAX(Rank) FROM `.sys/query_metrics_one_minute`"))
                .containsExactly(List.of(of(QueryMetrics.MAX_TEXTS), of(QueryMetrics.MAX_TEXTS)));
    }

    @Test
    void textsBeyondTheBoundAreCountedInTheNextMinute() {
        for (int number = 0; number < QueryMetrics.MAX_ACTIVE; number++) {
            run("SELECT " + number);
        }
        String late = "SELECT 'late'";
        String count =
                "SELECT Count FROM `.sys/query_metrics_one_minute`"
                        + " WHERE QueryText LIKE \"SELECT 'late'\"";
        run(late);
        run(late);
        env.pass(MINUTE);
        assertThat(run(count)).isEmpty();
        run(late);
        env.pass(MINUTE);
        assertThat(run(count)).containsExactly(List.of(of(1)));
    }

    @Test
    void ofALongTextOnlyTheBeginningIsKept() {
        String text = "SELECT 1 -- " + "x".repeat(2 * TopQueries.MAX_TEXT_CHARS);
        assertThat(new QueryMeter(text).text())
                .isEqualTo(text.substring(0, TopQueries.MAX_TEXT_CHARS));
        String pairs = "SELECT 1--" + "😀".repeat(TopQueries.MAX_TEXT_CHARS);
        assertThat(new QueryMeter(pairs).text()).hasSize(TopQueries.MAX_TEXT_CHARS).endsWith("😀");
        assertThat(new QueryMeter("-" + pairs).text())
                .hasSize(TopQueries.MAX_TEXT_CHARS - 1)
                .endsWith("😀");
    }

    @Test
    void theFirstFiveOfEachTextAreRanked() {
        run("CREATE TABLE t (k Int32 NOT NULL, v Utf8, PRIMARY KEY (k))");
        for (int k = 1; k <= 8; k++) {
            run("UPSERT INTO t (k, v) VALUES (%d, \"%s\")".formatted(k, "x".repeat(100 * k)));
        }
        for (int again = 0; again < 2; again++) {
            for (int k = 1; k <= 8; k++) {
                run("SELECT v FROM t WHERE k = " + k);
            }
        }
        String top =
                "SELECT Rank, QueryText, ReadRows FROM `.sys/top_queries_by_read_bytes_one_%s`"
                        + " ORDER BY Rank LIMIT 5";
        List<List<Value>> expected = new ArrayList<>();
        for (int rank = 1; rank <= 5; rank++) {
            expected.add(
                    List.of(
                            of(rank),
                            Value.text("SELECT v FROM t WHERE k = " + (9 - rank)),
                            of(1)));
        }
        assertThat(run(top.formatted("minute"))).isEqualTo(expected);
        assertThat(run(top.formatted("hour"))).isEqualTo(expected);
        env.pass(MINUTE);
        run("SELECT v FROM t WHERE k = 1");
        assertThat(
                        run(
                                "SELECT COUNT(DISTINCT IntervalEnd) FROM"
                                        + " `.sys/top_queries_by_read_bytes_one_minute`"))
                .containsExactly(List.of(of(2)));
        assertThat(
                        run(
                                "SELECT COUNT(DISTINCT IntervalEnd) FROM"
                                        + " `.sys/top_queries_by_read_bytes_one_hour`"))
                .containsExactly(List.of(of(1)));
    }

    @Test
    void sessionsAreShownWithTheirClientsAndWhatTheyRan() {
        var client = new SessionClient("1.2.3.4:5", "77", "java", "sdk/1", "shop", "ann");
        Session session = database.sessions().open(client);
        Session idle = database.sessions().open();
        var text = QueryText.ofQueryService("SELECT 1", Map.of());
        database.run(
                session,
                text,
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(env)),
                new NoResults());
        String columns =
                "SELECT State, Query, QueryCount, ClientAddress, ClientPID, ClientUserAgent,"
                        + " ClientSdkBuildInfo, ApplicationName, UserSID, NodeId"
                        + " FROM `.sys/query_sessions` WHERE SessionId = '%s'";
        assertThat(run(columns.formatted(session.id())))
                .containsExactly(
                        List.of(
                                Value.text("IDLE"),
                                Value.text("SELECT 1"),
                                of(1),
                                Value.text("1.2.3.4:5"),
                                Value.text("77"),
                                Value.text("java"),
                                Value.text("sdk/1"),
                                Value.text("shop"),
                                Value.text("ann"),
                                of(7)));
        try (var _ = idle.enter(Cancellation.byDefault(env))) {
            assertThat(
                            run(
                                    "SELECT State, QueryCount FROM `.sys/query_sessions`"
                                            + " WHERE SessionId = '"
                                            + idle.id()
                                            + "' AND QueryStartAt IS NOT NULL"))
                    .containsExactly(List.of(Value.text("EXECUTING"), of(0)));
        }
        database.sessions().close(session.id());
        assertThat(run(columns.formatted(session.id()))).isEmpty();
    }

    @Test
    void transactionsAreCountedWhereTheyWrite() {
        run(
                "CREATE TABLE t (k Uint32 NOT NULL, v Utf8, PRIMARY KEY (k))"
                        + " WITH (UNIFORM_PARTITIONS = 2)");
        run("UPSERT INTO t (k) VALUES (1)");
        run("UPSERT INTO t (k) VALUES (2), (3)");
        run("UPSERT INTO t (k) VALUES (4), (4000000000)");
        assertThat(
                        run(
                                "SELECT ImmediateTxCompleted, CoordinatedTxCompleted,"
                                        + " InFlightTxCount, TxRejectedByOverload,"
                                        + " TxRejectedByOutOfStorage, LocksWholeShard"
                                        + " FROM `.sys/partition_stats` ORDER BY PartIdx"))
                .containsExactly(
                        List.of(of(2), of(1), of(0), of(0), of(0), of(0)),
                        List.of(of(0), of(1), of(0), of(0), of(0), of(0)));
    }

    /// Lookups ask key filters, and lock nothing beside their keys.
    @Test
    void theKeysOfAListAreLookedUp() {
        run("CREATE TABLE t (k Uint32 NOT NULL, v Utf8, PRIMARY KEY (k))");
        run("UPSERT INTO t (k, v) VALUES (1, 'a'), (2, 'b')");
        assertThat(run("SELECT v FROM t WHERE k IN (1, 2, 7)")).hasSize(2);
        assertThat(run("SELECT COUNT(*) FROM t WHERE k IN (2, 7)")).hasSize(1);
        assertThat(run("SELECT v FROM t WHERE k IN (1, 2, 7) LIMIT 2")).hasSize(2);
        assertThat(run("SELECT v FROM t WHERE k IN (1, 2, 7) AND v > 'a'")).hasSize(1);
        assertThat(run("SELECT RangeReads FROM `.sys/partition_stats`"))
                .containsExactly(List.of(of(0)));
        assertThat(run("SELECT RowReads >= 3 + 2 + 2 + 3 FROM `.sys/partition_stats`"))
                .containsExactly(List.of(Value.bool(true)));
    }

    @Test
    void noRunIsLostBetweenThreads() throws InterruptedException {
        var meter = new QueryMeter("text");
        var access = new TableAccess("t");
        access.found(3, 2);
        Compiled compiled = database.compile(QueryText.ofQueryService("SELECT 1", Map.of()));
        var summary = new RunSummary(compiled, List.of(), List.of(access), 4, OptionalLong.empty());
        int runs = 20_000;
        List<Thread> threads = new ArrayList<>();
        var taken = new QueryFigures();
        for (int thread = 0; thread < 6; thread++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int run = 0; run < runs; run++) {
                                            meter.add(summary, 5);
                                        }
                                    }));
        }
        while (threads.stream().anyMatch(Thread::isAlive)) {
            taken.add(meter.takeAway());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        taken.add(meter.takeAway());
        assertThat(taken.runs()).isEqualTo(6L * runs);
        assertThat(taken.duration().sum()).isEqualTo(5L * 6 * runs);
        assertThat(taken.work().least()).isEqualTo(4);
        assertThat(taken.readRows().most()).isEqualTo(3);
        assertThat(meter.takeAway().runs()).isZero();
    }

    private static final class NoResults implements Results {
        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {}

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }
}
