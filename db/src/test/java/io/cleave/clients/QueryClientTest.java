package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.StatusCode;
import tech.ydb.query.QuerySession;
import tech.ydb.query.result.QueryInfo;
import tech.ydb.query.settings.ExecuteQuerySettings;
import tech.ydb.query.settings.QueryExecMode;
import tech.ydb.query.settings.QueryStatsMode;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// `ydb-sdk-query` against a server in another process: texts, parameters, results, statistics.
@ExtendWith(SharedServer.class)
class QueryClientTest {
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Text);

    private final Clients clients;
    private final String table;

    QueryClientTest(Clients clients) {
        this.clients = clients;
        table = "`" + clients.newDirectory() + "/t`";
    }

    @BeforeEach
    void createTable() {
        clients.define(
                "CREATE TABLE "
                        + table
                        + " (id Uint64 NOT NULL, text Utf8, PRIMARY KEY (id))"
                        + " WITH (UNIFORM_PARTITIONS = 4)");
    }

    @Test
    void anExpressionHasTheNameAndTypeThatYdbGives() {
        ResultSetReader rows = clients.query("SELECT 2 + 3;").getResultSet(0);
        assertThat(rows.getColumnName(0)).isEqualTo("column0");
        assertThat(rows.getColumnType(0)).isEqualTo(PrimitiveType.Int32);
        assertThat(Rows.of(rows)).containsExactly("5");
    }

    @Test
    void whatIsWrittenWithParametersIsRead() {
        Params params =
                Params.of(
                        "$id", PrimitiveValue.newUint64(7),
                        "$text", PrimitiveValue.newText("семь"));
        clients.query(
                "DECLARE $id AS Uint64; DECLARE $text AS Utf8; UPSERT INTO "
                        + table
                        + " (id, text) VALUES ($id, $text)",
                params);
        assertThat(clients.rows("SELECT id, text FROM " + table)).containsExactly("7, \"семь\"");
    }

    @Test
    void parametersNeedNoDeclaration() {
        clients.query(
                "UPSERT INTO " + table + " (id, text) VALUES ($id, $text)",
                Params.of(
                        "$id", PrimitiveValue.newUint64(8),
                        "$text", PrimitiveType.Text.makeOptional().emptyValue()));
        assertThat(clients.rows("SELECT id, text FROM " + table)).containsExactly("8, NULL");
    }

    @Test
    void rowsOfAListAreWrittenAtOnce() {
        upsert(2500);
        assertThat(clients.rows("SELECT COUNT(*), MIN(id), MAX(id) FROM " + table))
                .containsExactly("2500, 0, 2499");
    }

    @Test
    void aResultIsNotCutAt1000Rows() {
        upsert(2500);
        List<String> rows = clients.rows("SELECT id FROM " + table + " ORDER BY id");
        assertThat(rows).isEqualTo(IntStream.range(0, 2500).mapToObj(Integer::toString).toList());
    }

    @Test
    void aBigResultComesInParts() {
        String text = "x".repeat(100_000);
        for (int id = 0; id < 40; id++) {
            clients.query(
                    "UPSERT INTO " + table + " (id, text) VALUES ($id, $text)",
                    Params.of(
                            "$id", PrimitiveValue.newUint64(id),
                            "$text", PrimitiveValue.newText(text + id)));
        }
        List<Long> ids = new ArrayList<>();
        List<Integer> partRows = new ArrayList<>();
        try (QuerySession session = newSession()) {
            Result<QueryInfo> result =
                    session.createQuery(
                                    "SELECT id, text FROM " + table + " ORDER BY id",
                                    TxMode.SNAPSHOT_RO,
                                    Params.empty(),
                                    ExecuteQuerySettings.newBuilder()
                                            .withPartBytesLimit(1 << 20)
                                            .build())
                            .execute(
                                    part -> {
                                        ResultSetReader rows = part.getResultSetReader();
                                        partRows.add(rows.getRowCount());
                                        while (rows.next()) {
                                            long id = rows.getColumn("id").getUint64();
                                            ids.add(id);
                                            assertThat(rows.getColumn("text").getText())
                                                    .isEqualTo(text + id);
                                        }
                                    })
                            .join();
            assertThat(result.getStatus().isSuccess()).isTrue();
        }
        assertThat(ids).hasSize(40).isSorted();
        assertThat(partRows).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void severalSelectsHaveSeveralResultSets() {
        upsert(3);
        QueryReader reader =
                clients.query(
                        "SELECT id FROM "
                                + table
                                + " ORDER BY id DESC;"
                                + " SELECT text FROM "
                                + table
                                + " WHERE id = 100;"
                                + " SELECT 'done'u AS state;");
        assertThat(reader.getResultSetCount()).isEqualTo(3);
        assertThat(Rows.of(reader.getResultSet(0))).containsExactly("2", "1", "0");
        assertThat(reader.getResultSet(1).getColumnName(0)).isEqualTo("text");
        assertThat(Rows.of(reader.getResultSet(1))).isEmpty();
        assertThat(Rows.of(reader.getResultSet(2))).containsExactly("\"done\"");
    }

    @Test
    void everyModeReadsWhatWasCommitted() {
        upsert(1);
        for (TxMode mode : TxMode.values()) {
            ResultSetReader rows =
                    clients.read("SELECT id, text FROM " + table, mode, Params.empty())
                            .getResultSet(0);
            assertThat(Rows.of(rows)).as("%s", mode).containsExactly("0, \"text 0\"");
        }
    }

    @Test
    void aReadOnlyModeRefusesToWrite() {
        for (TxMode mode : List.of(TxMode.SNAPSHOT_RO, TxMode.ONLINE_RO, TxMode.STALE_RO)) {
            Result<QueryReader> result =
                    clients.tryQuery(
                            "UPSERT INTO " + table + " (id) VALUES (1)", mode, Params.empty());
            assertThat(result.getStatus().getCode())
                    .as("%s: %s", mode, result.getStatus())
                    .isIn(StatusCode.BAD_REQUEST, StatusCode.GENERIC_ERROR);
        }
        assertThat(clients.rows("SELECT id FROM " + table)).isEmpty();
    }

    @Test
    void statisticsComeWhenTheyAreAskedFor() {
        upsert(10);
        String text = "SELECT id, text FROM " + table + " WHERE id < 5";
        assertThat(info(text, QueryExecMode.EXECUTE, QueryStatsMode.NONE).hasStats()).isFalse();
        QueryInfo basic = info(text, QueryExecMode.EXECUTE, QueryStatsMode.BASIC);
        assertThat(basic.getStats().getQueryPlan()).isEmpty();
        assertThat(basic.getStats().getTotalDurationUs()).isPositive();
        QueryInfo full = info(text, QueryExecMode.EXECUTE, QueryStatsMode.FULL);
        assertThat(full.getStats().getQueryPlan()).contains("/t");
    }

    @Test
    void explainShowsThePlanAndRunsNothing() {
        upsert(10);
        QueryInfo info =
                info(
                        "SELECT text FROM " + table + " WHERE id = 5",
                        QueryExecMode.EXPLAIN,
                        QueryStatsMode.NONE);
        assertThat(info.getStats().getQueryPlan()).contains("/t").contains("id");
        info("DELETE FROM " + table, QueryExecMode.EXPLAIN, QueryStatsMode.NONE);
        assertThat(clients.rows("SELECT COUNT(*) FROM " + table)).containsExactly("10");
    }

    @Test
    void columnsComeAndGo() {
        upsert(1);
        clients.define("ALTER TABLE " + table + " ADD COLUMN more Int32");
        assertThat(clients.rows("SELECT id, more FROM " + table)).containsExactly("0, NULL");
        clients.define("ALTER TABLE " + table + " DROP COLUMN more");
        assertThat(
                        clients.tryQuery(
                                        "SELECT more FROM " + table,
                                        TxMode.SNAPSHOT_RO,
                                        Params.empty())
                                .getStatus()
                                .toString())
                .contains("Member not found: more");
        clients.define("DROP TABLE " + table);
        assertThat(
                        clients.tryQuery(
                                        "SELECT id FROM " + table,
                                        TxMode.SNAPSHOT_RO,
                                        Params.empty())
                                .getStatus()
                                .getCode())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    private QueryInfo info(String text, QueryExecMode exec, QueryStatsMode stats) {
        try (QuerySession session = newSession()) {
            return session.createQuery(
                            text,
                            TxMode.SERIALIZABLE_RW,
                            Params.empty(),
                            ExecuteQuerySettings.newBuilder()
                                    .withExecMode(exec)
                                    .withStatsMode(stats)
                                    .build())
                    .execute(part -> {})
                    .join()
                    .getValue();
        }
    }

    private QuerySession newSession() {
        return clients.queries().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    private void upsert(int rowCount) {
        ListValue rows =
                ListType.of(ROW)
                        .newValue(
                                IntStream.range(0, rowCount)
                                        .mapToObj(
                                                id ->
                                                        ROW.newValue(
                                                                "id",
                                                                PrimitiveValue.newUint64(id),
                                                                "text",
                                                                PrimitiveValue.newText(
                                                                        "text " + id)))
                                        .toList());
        clients.query(
                "DECLARE $rows AS List<Struct<id: Uint64, text: Utf8>>; UPSERT INTO "
                        + table
                        + " SELECT * FROM AS_TABLE($rows)",
                Params.of("$rows", rows));
    }
}
