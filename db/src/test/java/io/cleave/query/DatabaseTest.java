package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program.Kind;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Placement.NeedsThread;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.txn.Isolation;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

class DatabaseTest {
    private static final TxControl AUTO = TxControl.auto(Isolation.SERIALIZABLE);

    private final MemoryDatabase memory = new MemoryDatabase();
    private final Database database = memory.database();
    private final Session session = database.as(Caller.IN_PROCESS).openSession();

    @BeforeEach
    void makeTable() {
        run(TxControl.IMPLICIT, "CREATE TABLE t (id Uint64 NOT NULL, n Int32, PRIMARY KEY (id))");
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private QueryRun queryRun(TxControl control, Map<String, TypedValue> parameters) {
        return new QueryRun(
                control, parameters, ResultLimits.DATA_QUERY, Cancellation.byDefault(memory.env()));
    }

    private Collected run(TxControl control, String text) {
        Collected results = new Collected();
        QueryText query = QueryText.ofQueryService(text, Map.of());
        RunSummary summary = database.run(session, query, queryRun(control, Map.of()), results);
        summary.issues().forEach(issue -> results.issues.add(issue.message()));
        return results;
    }

    private Compiled compile(String text) {
        return database.compile(QueryText.ofQueryService(text, Map.of()));
    }

    @Test
    void aReadByKeyRunsWithoutWaiting() {
        String byKey = "DECLARE $id AS Uint64; SELECT n FROM t WHERE id = $id";
        Compiled compiled = compile(byKey);
        assertThat(compiled.program().kind()).isEqualTo(Kind.POINT_READ);
        assertThat(QueryThreads.runsWithoutWaiting(compiled, AUTO)).isTrue();
        assertThat(QueryThreads.runsWithoutWaiting(compiled, TxControl.IMPLICIT)).isTrue();
        assertThat(QueryThreads.runsWithoutWaiting(compiled, new TxControl.Existing("x", false)))
                .isTrue();
        // The transaction may hold writes, and their commit waits for the log.
        assertThat(QueryThreads.runsWithoutWaiting(compiled, new TxControl.Existing("x", true)))
                .isFalse();
        assertThat(QueryThreads.runsWithoutWaiting(compile("SELECT * FROM t"), AUTO)).isFalse();
        assertThat(
                        QueryThreads.runsWithoutWaiting(
                                compile("UPSERT INTO t (id) VALUES (1ul)"), AUTO))
                .isFalse();
    }

    @Test
    void aReadOfFewRowsIsShortAndALongOneIsLeftAloneForAWhile() {
        StringBuilder rows = new StringBuilder("(0ul, 0)");
        for (int id = 1; id <= ShortRuns.MOST_ROWS; id++) {
            rows.append(", (").append(id).append("ul, ").append(id).append(")");
        }
        run(AUTO, "UPSERT INTO t (id, n) VALUES " + rows);
        Compiled few = compile("SELECT n FROM t WHERE id >= 5ul AND id < 8ul");
        Collected results = new Collected();
        assertThat(QueryThreads.mayBeShort(few, AUTO)).isTrue();
        assertThat(database.threads().runIfShort(session, few, queryRun(AUTO, Map.of()), results))
                .isPresent();
        assertThat(results.rows).hasSize(3);

        Compiled many = compile("SELECT n FROM t");
        assertThat(QueryThreads.mayBeShort(many, AUTO)).isTrue();
        assertThat(
                        database.threads()
                                .runIfShort(
                                        session, many, queryRun(AUTO, Map.of()), new Collected()))
                .isEmpty();
        assertThat(session.isBusy()).isFalse();
        assertThat(QueryThreads.mayBeShort(many, AUTO)).isFalse();
        assertThat(QueryThreads.mayBeShort(few, AUTO)).isTrue();
        int leftAlone = 1;
        while (!QueryThreads.mayBeShort(many, AUTO)) {
            leftAlone++;
        }
        assertThat(leftAlone).isEqualTo(64);
    }

    @Test
    void aWriteThatReadsNothingNeedNotWaitForItsCommit() {
        Compiled upsert = compile("UPSERT INTO t (id, n) VALUES (1ul, 10)");
        assertThat(QueryThreads.mayCommitLater(upsert, AUTO)).isTrue();
        var call = new Call(queryRun(AUTO, Map.of()));
        assertThat(database.threads().runLater(session, upsert, call)).isTrue();
        RunSummary summary = call.ended.join();
        assertThat(summary.accesses().getFirst().updatedRows()).isEqualTo(1);
        assertThat(session.isBusy()).isFalse();
        assertThat(run(AUTO, "SELECT n FROM t").rows).hasSize(1);
    }

    /// A query of a client that accepts every way to answer.
    private static final class Call implements QueryCall {
        private final QueryRun run;
        private Collected results = new Collected();
        private final CompletableFuture<RunSummary> ended = new CompletableFuture<>();

        Call(QueryRun run) {
            this.run = run;
        }

        @Override
        public QueryRun run() {
            return run;
        }

        @Override
        public Results fewResults() {
            results = new Collected();
            return results;
        }

        @Override
        public boolean mayEndLater() {
            return true;
        }

        @Override
        public void succeeded(RunSummary summary) {
            ended.complete(summary);
        }

        @Override
        public void failed(StatusException why) {
            ended.completeExceptionally(why);
        }
    }

    @Test
    void aQueryEndsOnTheSubmittingThreadIfItIsShort() {
        run(AUTO, "UPSERT INTO t (id, n) VALUES (1ul, 10), (2ul, 20)");
        assertThat(submit("SELECT n FROM t WHERE id = 1ul")).isInstanceOf(NeedsThread.class);
        run(AUTO, "SELECT n FROM t WHERE id = 1ul");
        assertThat(submit("SELECT n FROM t WHERE id = 1ul")).isEqualTo(Placement.HERE);
        run(AUTO, "SELECT n FROM t WHERE id > 1ul");
        assertThat(submit("SELECT n FROM t WHERE id > 1ul")).isEqualTo(Placement.HERE);
        run(AUTO, "UPSERT INTO t (id) VALUES (3ul)");
        assertThat(submit("UPSERT INTO t (id) VALUES (3ul)")).isEqualTo(Placement.LATER);
        run(AUTO, "UPDATE t SET n = 1 WHERE id = 1ul");
        assertThat(submit("UPDATE t SET n = 1 WHERE id = 1ul")).isInstanceOf(NeedsThread.class);
    }

    /// Waits for the answer of a query that does not need a thread.
    private Placement submit(String text) {
        var call = new Call(queryRun(AUTO, Map.of()));
        QueryText query = QueryText.ofQueryService(text, Map.of());
        Placement placement = database.submit(session, query, AUTO, call);
        if (!(placement instanceof NeedsThread)) {
            call.ended.join();
        }
        return placement;
    }

    @Test
    void onlyWritesThatAreATransactionAndReadNothingCommitLater() {
        run(
                TxControl.IMPLICIT,
                "CREATE TABLE s (id Serial, n Int32, PRIMARY KEY (id), INDEX by_n GLOBAL ON (n))");
        run(
                TxControl.IMPLICIT,
                "CREATE TABLE d (id Uint64, n Int32 DEFAULT 7, m Int32, PRIMARY KEY (id))");
        for (String later :
                List.of(
                        "UPSERT INTO t (id, n) VALUES (1ul, 10), (2ul, 20)",
                        "REPLACE INTO t (id) VALUES (1ul)",
                        "DELETE FROM t ON (id) VALUES (1ul)",
                        "REPLACE INTO d (id) VALUES (1ul)",
                        "UPSERT INTO t (id) VALUES (1ul); UPSERT INTO t (id) VALUES (2ul)")) {
            assertThat(QueryThreads.mayCommitLater(compile(later), AUTO)).as(later).isTrue();
        }
        for (String now :
                List.of(
                        "INSERT INTO t (id) VALUES (1ul)",
                        "UPDATE t SET n = 1 WHERE id = 1ul",
                        "DELETE FROM t WHERE id = 1ul",
                        "UPSERT INTO t SELECT * FROM t",
                        "UPSERT INTO t (id) VALUES (1ul) RETURNING n",
                        "UPSERT INTO s (n) VALUES (1)",
                        "UPSERT INTO d (id, m) VALUES (1ul, 1)",
                        "SELECT 1; UPSERT INTO t (id) VALUES (1ul)",
                        "SELECT n FROM t WHERE id = 1ul")) {
            assertThat(QueryThreads.mayCommitLater(compile(now), AUTO)).as(now).isFalse();
        }
        Compiled upsert = compile("UPSERT INTO t (id) VALUES (1ul)");
        assertThat(QueryThreads.mayCommitLater(upsert, TxControl.IMPLICIT)).isTrue();
        assertThat(
                        QueryThreads.mayCommitLater(
                                upsert, TxControl.auto(Isolation.SNAPSHOT_READ_ONLY)))
                .isFalse();
        assertThat(
                        QueryThreads.mayCommitLater(
                                upsert, new TxControl.Begin(Isolation.SERIALIZABLE, false)))
                .isFalse();
        assertThat(QueryThreads.mayCommitLater(upsert, new TxControl.Existing("x", true)))
                .isFalse();
    }

    @Test
    void aPreparedTextFollowsItsTable() {
        run(AUTO, "UPSERT INTO t (id, n) VALUES (1ul, 10)");
        PreparedText all = database.prepare(QueryText.ofQueryService("SELECT * FROM t", Map.of()));
        Collected before = new Collected();
        RunSummary first = database.run(session, all, queryRun(AUTO, Map.of()), before);
        RunSummary second = database.run(session, all, queryRun(AUTO, Map.of()), new Collected());
        assertThat(before.rows.getFirst()).hasSize(2);
        assertThat(second.compiled()).isSameAs(first.compiled());

        run(TxControl.IMPLICIT, "ALTER TABLE t ADD COLUMN more Utf8");
        Collected after = new Collected();
        var _ = database.run(session, all, queryRun(AUTO, Map.of()), after);
        assertThat(after.rows.getFirst()).hasSize(3);
    }

    @Test
    void onlyLightConstantsRunWithoutWaiting() {
        for (String light :
                List.of(
                        "SELECT 1",
                        "SELECT version()",
                        "DECLARE $x AS Int32; SELECT $x + 1, $x > 2 AND NOT ($x = 3)",
                        "SELECT 1; SELECT 2")) {
            assertThat(QueryThreads.runsWithoutWaiting(compile(light), AUTO)).as(light).isTrue();
        }
        for (String heavy :
                List.of(
                        "SELECT ListLength(ListMap(ListFromRange(0, $n), ($x) -> ($x + 1)))",
                        "SELECT ListFromRange(0, $n)",
                        "SELECT * FROM AS_TABLE($rows)",
                        "SELECT a.x FROM AS_TABLE($rows) AS a CROSS JOIN AS_TABLE($rows) AS b",
                        "SELECT COUNT(*) FROM AS_TABLE($rows)",
                        "SELECT x FROM AS_TABLE($rows) ORDER BY x")) {
            String text = "DECLARE $n AS Int32; DECLARE $rows AS List<Struct<x:Int32>>; " + heavy;
            assertThat(compile(text).program().kind()).as(heavy).isEqualTo(Kind.CONSTANT);
            assertThat(QueryThreads.runsWithoutWaiting(compile(text), AUTO)).as(heavy).isFalse();
        }
    }

    @Test
    void whatMakesOrPassesManyRowsIsNotShort() {
        StringBuilder rows = new StringBuilder("(0ul, 0)");
        StringBuilder ids = new StringBuilder("0ul");
        for (int id = 1; id < 1_200; id++) {
            rows.append(", (").append(id).append("ul, ").append(id).append(")");
            ids.append(id <= ShortRuns.MOST_ROWS ? ", " + id + "ul" : "");
        }
        run(AUTO, "UPSERT INTO t (id, n) VALUES " + rows);
        assertNotShort("SELECT n FROM t WHERE id IN (" + ids + ")");
        assertNotShort(
                "SELECT a.n FROM (SELECT n FROM t WHERE id < 20ul) AS a"
                        + " CROSS JOIN (SELECT n FROM t WHERE id < 20ul) AS b");
        assertNotShort(
                "SELECT COUNT(*) FROM (SELECT n FROM t WHERE id < 100ul) AS a"
                        + " CROSS JOIN (SELECT n FROM t WHERE id < 100ul) AS b");
        assertNotShort("SELECT PartIdx FROM `.sys/partition_stats`");
        Compiled first = compile("SELECT id FROM t ORDER BY id LIMIT 1");
        assertThat(
                        database.threads()
                                .runIfShort(
                                        session, first, queryRun(AUTO, Map.of()), new Collected()))
                .isPresent();
        run(AUTO, "DELETE FROM t WHERE id < 1199ul");
        assertNotShort("SELECT id FROM t ORDER BY id LIMIT 1");
        assertThat(run(AUTO, "SELECT id FROM t ORDER BY id LIMIT 1").rows)
                .containsExactly(List.of(Value.of(1199)));
    }

    private void assertNotShort(String text) {
        QueryRun run = queryRun(AUTO, Map.of());
        assertThat(database.threads().runIfShort(session, compile(text), run, new Collected()))
                .as(text)
                .isEmpty();
    }

    @Test
    void onlyReadsThatAreTransactionsOfTheirOwnMayBeShort() {
        Compiled read = compile("SELECT n FROM t WHERE id > 1ul");
        assertThat(QueryThreads.mayBeShort(read, TxControl.IMPLICIT)).isTrue();
        assertThat(
                        QueryThreads.mayBeShort(
                                read, new TxControl.Begin(Isolation.SERIALIZABLE, false)))
                .isFalse();
        assertThat(QueryThreads.mayBeShort(read, new TxControl.Existing("x", false))).isFalse();
        assertThat(QueryThreads.mayBeShort(compile("DELETE FROM t WHERE id > 1ul"), AUTO))
                .isFalse();
    }

    @Test
    void aTextIsCompiledOnceUntilItsTableChanges() {
        String text = "SELECT * FROM t";
        assertThat(compile(text).fromCache()).isFalse();
        assertThat(compile(text).fromCache()).isTrue();
        assertThat(compile(text).program().results().getFirst().columns()).hasSize(2);

        run(TxControl.IMPLICIT, "ALTER TABLE t ADD COLUMN extra Text");
        assertThat(compile(text).fromCache()).isFalse();
        assertThat(compile(text).program().results().getFirst().columns()).hasSize(3);

        run(TxControl.IMPLICIT, "DROP TABLE t");
        assertFails(Status.SCHEME_ERROR, "Cannot find table", () -> compile(text));
        run(TxControl.IMPLICIT, "CREATE TABLE t (id Text, PRIMARY KEY (id))");
        assertThat(compile(text).program().results().getFirst().columns()).hasSize(1);
    }

    @Test
    void oneTextWithOtherTypesIsAnotherProgram() {
        String text = "SELECT $x";
        Type[] types = {Primitive.INT32, Primitive.UTF8};
        for (Type type : types) {
            Compiled compiled =
                    database.compile(QueryText.ofQueryService(text, Map.of("$x", type)));
            assertThat(compiled.fromCache()).isFalse();
            assertThat(compiled.program().parameters()).containsEntry("$x", type);
        }
    }

    @Test
    void parametersAreFoundByNameAndConverted() {
        String text =
                "DECLARE $rows AS List<Struct<id:Uint64, n:Int32?>>;"
                        + " UPSERT INTO t SELECT * FROM AS_TABLE($rows)";
        Type sent =
                new Type.ListOf(
                        new Type.Struct(
                                List.of(
                                        new Type.Member("n", Primitive.INT32),
                                        new Type.Member("id", Primitive.UINT64))));
        Value rows = Value.items(List.of(Value.items(List.of(Value.of(7), Value.of(1)))));
        QueryText query = QueryText.ofQueryService(text, Map.of("$rows", sent));
        database.run(
                session,
                query,
                queryRun(AUTO, Map.of("$rows", new TypedValue(sent, rows))),
                new Collected());
        assertThat(run(AUTO, "SELECT id, n FROM t").rows)
                .containsExactly(List.of(Value.of(1), Value.of(7)));
    }

    @Test
    void schemeStatementsStandAlone() {
        assertFails(
                Status.PRECONDITION_FAILED,
                "Scheme operations cannot be executed inside transaction",
                () -> run(AUTO, "DROP TABLE t"));
        assertThat(
                        run(
                                        TxControl.IMPLICIT,
                                        "CREATE TABLE IF NOT EXISTS t (id Int32, PRIMARY KEY (id))")
                                .issues
                                .getFirst())
                .contains("path exist, request accepts it");
    }

    @Test
    void anImplicitTransactionIsAllOrNothing() {
        assertFails(
                Status.PRECONDITION_FAILED,
                "",
                () ->
                        run(
                                TxControl.IMPLICIT,
                                "INSERT INTO t (id) VALUES (1ul); INSERT INTO t (id) VALUES"
                                        + " (1ul);"));
        assertThat(run(AUTO, "SELECT id FROM t").rows).isEmpty();
        run(
                TxControl.IMPLICIT,
                "INSERT INTO t (id) VALUES (1ul); INSERT INTO t (id) VALUES (2ul);");
        assertThat(run(AUTO, "SELECT id FROM t").rows).hasSize(2);
    }

    @Test
    void anErrorEndsAnOpenTransaction() {
        String txId = database.begin(session, Isolation.SERIALIZABLE);
        run(new TxControl.Existing(txId, false), "UPSERT INTO t (id) VALUES (1ul)");
        assertFails(
                Status.PRECONDITION_FAILED,
                "Scheme operations",
                () -> run(new TxControl.Existing(txId, false), "DROP TABLE t"));
        assertFails(
                Status.NOT_FOUND,
                "Transaction not found: " + txId,
                () -> database.commit(session, txId));
        assertThat(run(AUTO, "SELECT id FROM t").rows).isEmpty();
    }

    @Test
    void aQueryTellsTheTransactionThatItLeavesOpen() {
        Collected begun = run(new TxControl.Begin(Isolation.SERIALIZABLE, false), "SELECT 1");
        assertThat(begun.txId).hasSize(26);
        Collected ended =
                run(new TxControl.Existing(begun.txId, true), "UPSERT INTO t (id) VALUES (1ul)");
        assertThat(ended.txId).isEmpty();
        assertThat(run(AUTO, "SELECT id FROM t").rows).hasSize(1);
        assertFails(Status.NOT_FOUND, begun.txId, () -> database.rollback(session, begun.txId));
    }

    @Test
    void writesNeedAModeThatWrites() {
        for (Isolation isolation :
                List.of(
                        Isolation.SNAPSHOT_READ_ONLY,
                        Isolation.ONLINE_READ_ONLY,
                        Isolation.STALE_READ_ONLY)) {
            assertFails(
                    Status.GENERIC_ERROR,
                    "read only transaction",
                    () -> run(TxControl.auto(isolation), "UPSERT INTO t (id) VALUES (1ul)"));
            assertThat(run(TxControl.auto(isolation), "SELECT id FROM t").rows).isEmpty();
        }
    }

    @Test
    void resultsAreCutAtTheirLimit() {
        StringBuilder values = new StringBuilder("UPSERT INTO t (id) VALUES (0ul)");
        for (int id = 1; id <= 1000; id++) {
            values.append(", (").append(id).append("ul)");
        }
        run(AUTO, values.toString());
        Collected cut = run(AUTO, "SELECT id FROM t");
        assertThat(cut.rows).hasSize(1000);
        assertThat(cut.truncated).isTrue();
        assertThat(run(AUTO, "SELECT id FROM t WHERE id > 0").truncated).isFalse();
    }

    @Test
    void aTextCanAskForFewerRows() {
        run(AUTO, "UPSERT INTO t (id, n) VALUES (1ul, 1), (2ul, 2), (3ul, 3)");
        Collected whole = run(AUTO, "PRAGMA ResultRowsLimit = '3'; SELECT id FROM t");
        assertThat(whole.rows).hasSize(3);
        assertThat(whole.truncated).isFalse();
        Collected cut = run(AUTO, "PRAGMA ResultRowsLimit = '2'; SELECT id FROM t WHERE n > 0");
        assertThat(cut.rows).hasSize(2);
        assertThat(cut.truncated).isTrue();
        assertThat(run(AUTO, "PRAGMA ResultRowsLimit = 0; SELECT id FROM t").rows).hasSize(3);
        assertThat(run(AUTO, "PRAGMA ResultRowsLimit = 2; SELECT COUNT(*) FROM t").rows)
                .as("what is read is not cut")
                .isEqualTo(List.of(List.of(Value.of(3))));
        assertFails(
                Status.GENERIC_ERROR,
                "Expected unsigned integer literal for: ResultRowsLimit",
                () -> run(AUTO, "PRAGMA ResultRowsLimit = 'many'; SELECT 1"));
    }

    @Test
    void aReadOfLargeCellsIsNotShort() {
        run(TxControl.IMPLICIT, "CREATE TABLE wide (id Int32, s String, PRIMARY KEY (id))");
        run(AUTO, "UPSERT INTO wide SELECT 1 AS id, String::LeftPad('', 250000) AS s");
        assertThat(endsShort("SELECT s FROM wide WHERE id < 5")).isTrue();
        run(AUTO, "UPSERT INTO wide SELECT 2 AS id, String::LeftPad('', 20000) AS s");
        assertThat(endsShort("SELECT s FROM wide WHERE id < 6")).isFalse();
        assertThat(endsShort("SELECT LENGTH(s) FROM wide WHERE id < 7")).isFalse();
        assertThat(endsShort("SELECT id FROM wide WHERE id < 8")).isTrue();
    }

    private boolean endsShort(String text) {
        return database.threads()
                .runIfShort(session, compile(text), queryRun(AUTO, Map.of()), new Collected())
                .isPresent();
    }

    @Test
    void aCancelledQueryStopsAndItsTransactionIsGone() {
        run(AUTO, "UPSERT INTO t (id) VALUES (1ul), (2ul)");
        String txId = database.begin(session, Isolation.SERIALIZABLE);
        QueryRun run = queryRun(new TxControl.Existing(txId, false), Map.of());
        Results leaving =
                new Collected() {
                    @Override
                    public void begin(int resultIndex, ResultShape shape) {
                        run.cancellation().cancel();
                    }
                };
        QueryText text = QueryText.ofQueryService("SELECT id FROM t", Map.of());
        assertFails(Status.CANCELLED, "", () -> database.run(session, text, run, leaving));
        assertFails(Status.NOT_FOUND, txId, () -> database.commit(session, txId));
    }

    @Test
    void preparedTextsHaveTheIdOfTheirContent() {
        String id = database.prepared().add("SELECT 1");
        assertThat(database.prepared().add("SELECT 1")).isEqualTo(id);
        assertThat(database.prepared().add("SELECT 2")).isNotEqualTo(id);
        assertThat(database.prepared().text(id)).isEqualTo("SELECT 1");
        assertFails(Status.NOT_FOUND, "Query not found: no", () -> database.prepared().text("no"));
    }

    private static class Collected implements Results {
        final List<List<Value>> rows = new ArrayList<>();
        String txId = "?";
        boolean truncated;
        final List<String> issues = new ArrayList<>();

        @Override
        public void transaction(String id) {
            txId = id;
        }

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {
            rows.add(Arrays.asList(row.clone()));
        }

        @Override
        public void end(int resultIndex, boolean cut) {
            truncated = cut;
        }
    }
}
