package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryStream;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.result.QueryInfo;
import tech.ydb.query.settings.ExecuteQuerySettings;
import tech.ydb.query.settings.QueryExecMode;
import tech.ydb.query.settings.QueryStatsMode;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// YDB's own query client against a server in this process.
class QuerySdkTest {
    private static final TestServer SERVER = new TestServer();
    private static final GrpcTransport TRANSPORT =
            GrpcTransport.forConnectionString(SERVER.connectionString()).build();
    private static final QueryClient CLIENT = QueryClient.newClient(TRANSPORT).build();

    @AfterAll
    static void stop() {
        CLIENT.close();
        TRANSPORT.close();
        SERVER.close();
    }

    private static <T> T inSession(Function<QuerySession, T> body) {
        try (QuerySession session = CLIENT.createSession(Duration.ofSeconds(5)).join().getValue()) {
            return body.apply(session);
        }
    }

    private static Result<QueryReader> read(QueryStream stream) {
        return QueryReader.readFrom(stream).join();
    }

    private static QueryReader run(String text, Params params) {
        return inSession(s -> read(s.createQuery(text, TxMode.SERIALIZABLE_RW, params)).getValue());
    }

    private static QueryReader run(String text) {
        return run(text, Params.empty());
    }

    private static void create(String name) {
        inSession(
                s ->
                        read(s.createQuery(
                                        "CREATE TABLE "
                                                + name
                                                + " (id Uint64 NOT NULL, name Text,"
                                                + " PRIMARY KEY (id))",
                                        TxMode.NONE))
                                .getValue());
    }

    private static void assertStatus(Status status, StatusCode code, String text) {
        assertThat(status.getCode()).as(status.toString()).isEqualTo(code);
        assertThat(status.toString()).contains(text);
    }

    private static List<String> strings(ResultSetReader rows) {
        List<String> all = new ArrayList<>();
        while (rows.next()) {
            all.add(rows.getColumn(0).getUint64() + "=" + rows.getColumn(1).getText());
        }
        return all;
    }

    @Test
    void anExpressionHasAResult() {
        ResultSetReader rows = run("SELECT 2 + 3").getResultSet(0);
        assertThat(rows.next()).isTrue();
        assertThat(rows.getColumnName(0)).isEqualTo("column0");
        assertThat(rows.getColumn(0).getInt32()).isEqualTo(5);
    }

    @Test
    void rowsAreWrittenFromAListAndReadByKey() {
        create("batch");
        StructType row = StructType.of("id", PrimitiveType.Uint64, "name", PrimitiveType.Text);
        List<Value<?>> rows = new ArrayList<>();
        for (long id = 0; id < 10; id++) {
            rows.add(
                    row.newValue(
                            "id",
                            PrimitiveValue.newUint64(id),
                            "name",
                            PrimitiveValue.newText("n" + id)));
        }
        run(
                "UPSERT INTO batch SELECT id, name FROM AS_TABLE($rows)",
                Params.of("$rows", ListType.of(row).newValue(rows)));
        Params seven = Params.of("$id", PrimitiveValue.newUint64(7));
        for (int round = 0; round < 3; round++) {
            assertThat(
                            strings(
                                    run("SELECT id, name FROM batch WHERE id = $id", seven)
                                            .getResultSet(0)))
                    .containsExactly("7=n7");
        }
    }

    @Test
    void severalResultSetsAndAnEmptyOneAllCome() {
        create("several");
        QueryReader all = run("SELECT 1; SELECT id, name FROM several; SELECT 'x'u, 'y'u;");
        assertThat(all.getResultSetCount()).isEqualTo(3);
        assertThat(all.getResultSet(1).getRowCount()).isZero();
        assertThat(all.getResultSet(1).getColumnCount()).isEqualTo(2);
        assertThat(all.getResultSet(2).getColumnCount()).isEqualTo(2);
    }

    @Test
    void aLargeResultComesInParts() {
        create("large");
        StructType row = StructType.of("id", PrimitiveType.Uint64, "name", PrimitiveType.Text);
        List<Value<?>> rows = new ArrayList<>();
        for (long id = 0; id < 5000; id++) {
            rows.add(
                    row.newValue(
                            "id",
                            PrimitiveValue.newUint64(id),
                            "name",
                            PrimitiveValue.newText("x".repeat(1000))));
        }
        run(
                "UPSERT INTO large SELECT id, name FROM AS_TABLE($rows)",
                Params.of("$rows", ListType.of(row).newValue(rows)));
        List<Integer> parts = new ArrayList<>();
        inSession(
                s ->
                        s.createQuery("SELECT id, name FROM large", TxMode.SNAPSHOT_RO)
                                .execute(part -> parts.add(part.getResultSetReader().getRowCount()))
                                .join()
                                .getValue());
        assertThat(parts).hasSizeGreaterThan(4);
        assertThat(parts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5000);
    }

    @Test
    void aTransactionSpansQueries() {
        create("spanning");
        inSession(
                session -> {
                    QueryTransaction tx = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
                    read(tx.createQuery("UPSERT INTO spanning (id, name) VALUES (1ul, 'a'u)"))
                            .getValue();
                    assertThat(tx.getId()).hasSize(26);
                    assertThat(
                                    strings(
                                            read(tx.createQuery("SELECT id, name FROM spanning"))
                                                    .getValue()
                                                    .getResultSet(0)))
                            .containsExactly("1=a");
                    assertThat(run("SELECT id, name FROM spanning").getResultSet(0).getRowCount())
                            .isZero();
                    read(tx.createQueryWithCommit(
                                    "UPSERT INTO spanning (id, name) VALUES (2ul, 'b'u)"))
                            .getValue();
                    assertThat(tx.isActive()).isFalse();
                    return tx;
                });
        assertThat(strings(run("SELECT id, name FROM spanning").getResultSet(0)))
                .containsExactly("1=a", "2=b");
    }

    @Test
    void aRollbackLeavesNothing() {
        create("undone");
        inSession(
                session -> {
                    QueryTransaction tx =
                            session.beginTransaction(TxMode.SERIALIZABLE_RW).join().getValue();
                    read(tx.createQuery("UPSERT INTO undone (id, name) VALUES (1ul, 'a'u)"))
                            .getValue();
                    tx.rollback().join().expectSuccess();
                    return tx;
                });
        assertThat(run("SELECT id, name FROM undone").getResultSet(0).getRowCount()).isZero();
    }

    @Test
    void anErrorEndsTheTransaction() {
        create("failed");
        inSession(
                session -> {
                    QueryTransaction tx =
                            session.beginTransaction(TxMode.SERIALIZABLE_RW).join().getValue();
                    String id = tx.getId();
                    read(tx.createQuery("INSERT INTO failed (id, name) VALUES (1ul, 'a'u)"))
                            .getValue();
                    Status twice =
                            read(tx.createQuery("INSERT INTO failed (id) VALUES (1ul)"))
                                    .getStatus();
                    assertStatus(
                            twice, StatusCode.PRECONDITION_FAILED, "Conflict with existing key");
                    assertThat(id).hasSize(26);
                    return tx;
                });
        assertThat(run("SELECT id, name FROM failed").getResultSet(0).getRowCount()).isZero();
    }

    @Test
    void aConflictIsRetriedByTheClientsOwnRetryContext() {
        create("contended");
        SessionRetryContext retry = SessionRetryContext.create(CLIENT).build();
        int[] runs = {0};
        Status status =
                retry.supplyStatus(
                                session -> {
                                    runs[0]++;
                                    QueryTransaction tx =
                                            session.createNewTransaction(TxMode.SERIALIZABLE_RW);
                                    read(tx.createQuery("SELECT COUNT(*) FROM contended"))
                                            .getValue();
                                    if (runs[0] == 1) {
                                        run(
                                                "UPSERT INTO contended (id, name)"
                                                        + " VALUES (5ul, 'other'u)");
                                    }
                                    Result<QueryReader> written =
                                            read(
                                                    tx.createQueryWithCommit(
                                                            "UPSERT INTO contended (id, name)"
                                                                    + " VALUES (6ul, 'mine'u)"));
                                    if (runs[0] == 1) {
                                        assertStatus(
                                                written.getStatus(),
                                                StatusCode.ABORTED,
                                                "Transaction locks invalidated");
                                    }
                                    return CompletableFuture.completedFuture(written.getStatus());
                                })
                        .join();
        status.expectSuccess();
        assertThat(runs[0]).isEqualTo(2);
    }

    @Test
    void aPlanIsExplainedWithoutRunning() {
        create("planned");
        QueryInfo info =
                inSession(
                        s ->
                                s.createQuery(
                                                "UPSERT INTO planned (id) VALUES (1ul)",
                                                TxMode.SERIALIZABLE_RW,
                                                Params.empty(),
                                                ExecuteQuerySettings.newBuilder()
                                                        .withExecMode(QueryExecMode.EXPLAIN)
                                                        .build())
                                        .execute(_ -> {})
                                        .join()
                                        .getValue());
        assertThat(info.getStats().getQueryPlan()).contains("/local/planned");
        assertThat(run("SELECT id, name FROM planned").getResultSet(0).getRowCount()).isZero();
    }

    @Test
    void statisticsComeWhenAskedFor() {
        create("counted");
        run("UPSERT INTO counted (id, name) VALUES (1ul, 'a'u), (2ul, 'b'u)");
        QueryInfo info =
                inSession(
                        s ->
                                s.createQuery(
                                                "SELECT * FROM counted",
                                                TxMode.SNAPSHOT_RO,
                                                Params.empty(),
                                                ExecuteQuerySettings.newBuilder()
                                                        .withStatsMode(QueryStatsMode.BASIC)
                                                        .build())
                                        .execute(_ -> {})
                                        .join()
                                        .getValue());
        var access = info.getStats().getPhases().getFirst().getTableAccesses().getFirst();
        assertThat(access.getTableName()).isEqualTo("/local/counted");
        assertThat(access.getReads().getRows()).isEqualTo(2);
        assertThat(info.getStats().getQueryPlan()).isEmpty();
    }

    @Test
    void partitionStatisticsAreATable() {
        create("seen");
        run("UPSERT INTO seen (id, name) VALUES (1ul, 'a'u)");
        ResultSetReader rows =
                run("SELECT Path, PartIdx, RowCount FROM `.sys/partition_stats`"
                                + " WHERE Path = '/local/seen'u ORDER BY PartIdx")
                        .getResultSet(0);
        assertThat(rows.getRowCount()).isEqualTo(1);
        Result<QueryReader> write =
                inSession(
                        s ->
                                read(
                                        s.createQuery(
                                                "UPSERT INTO `.sys/partition_stats` (OwnerId,"
                                                        + " PathId, PartIdx, FollowerId) VALUES"
                                                        + " (1ul, 1ul, 1ul, 1u)",
                                                TxMode.SERIALIZABLE_RW)));
        assertStatus(write.getStatus(), StatusCode.BAD_REQUEST, "read only");
    }

    @Test
    void mixedAndWrongTextsAreRefused() {
        create("wrong");
        Function<String, Status> fail =
                text -> inSession(s -> read(s.createQuery(text, TxMode.NONE)).getStatus());
        assertStatus(
                fail.apply("CREATE TABLE w2 (id Int32, PRIMARY KEY (id)); SELECT id FROM wrong"),
                StatusCode.GENERIC_ERROR,
                "Queries with mixed data and scheme operations are not supported");
        assertStatus(fail.apply("SELECT FROM WHERE"), StatusCode.GENERIC_ERROR, "");
        assertStatus(
                fail.apply("SELECT nope FROM wrong"), StatusCode.GENERIC_ERROR, "Member not found");
    }
}
