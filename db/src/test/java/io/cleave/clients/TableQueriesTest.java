package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.table.Session;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.query.DataQuery;
import tech.ydb.table.query.DataQueryResult;
import tech.ydb.table.query.Params;
import tech.ydb.table.query.ReadRowsResult;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.settings.ExecuteScanQuerySettings;
import tech.ydb.table.settings.ReadRowsSettings;
import tech.ydb.table.settings.ReadTableSettings;
import tech.ydb.table.transaction.TableTransaction;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.StructValue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// Data through `ydb-sdk-table`: data queries, transactions, scans, and reads without queries.
@ExtendWith(SharedServer.class)
class TableQueriesTest {
    private static final int ROW_COUNT = 1500;
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Text);

    private final Clients clients;
    private final String table;
    private final Session session;

    TableQueriesTest(Clients clients) {
        this.clients = clients;
        table = clients.newDirectory() + "/t";
        session = clients.tables().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    /// 1500 rows, over three partitions.
    @BeforeEach
    void fillTable() {
        clients.define(
                "CREATE TABLE `"
                        + table
                        + "` (id Uint64 NOT NULL, text Utf8, more Int32, PRIMARY KEY (id))"
                        + " WITH (PARTITION_AT_KEYS = (400, 900))");
        List<StructValue> rows =
                LongStream.range(0, ROW_COUNT)
                        .mapToObj(
                                id ->
                                        ROW.newValue(
                                                "id", PrimitiveValue.newUint64(id),
                                                "text", PrimitiveValue.newText("text " + id)))
                        .toList();
        Status status =
                session.executeBulkUpsert(
                                table, ListType.of(ROW).newValue(List.copyOf(rows)))
                        .join();
        assertThat(status.isSuccess()).as("%s", status).isTrue();
    }

    @AfterEach
    void closeSession() {
        session.close();
    }

    @Test
    void aDataQueryIsCutAt1000RowsAndSaysSo() {
        DataQueryResult result = run("SELECT id FROM `" + table + "` ORDER BY id; SELECT 1;");
        assertThat(result.getResultSetCount()).isEqualTo(2);
        assertThat(result.getRowCount(0)).isEqualTo(1000);
        assertThat(result.isTruncated(0)).isTrue();
        assertThat(result.isTruncated(1)).isFalse();
    }

    @Test
    void aPreparedQueryKnowsItsParameters() {
        DataQuery query =
                session.prepareDataQuery(
                                "DECLARE $id AS Uint64; DECLARE $text AS Utf8?; SELECT text FROM `"
                                        + table
                                        + "` WHERE id = $id OR text = $text ORDER BY text")
                        .join()
                        .getValue();
        assertThat(query.types())
                .containsEntry("$id", PrimitiveType.Uint64)
                .containsEntry("$text", PrimitiveType.Text.makeOptional());
        Params params =
                query.newParams()
                        .put("$id", PrimitiveValue.newUint64(7))
                        .put("$text", PrimitiveValue.newText("text 9").makeOptional());
        for (int time = 0; time < 2; time++) {
            DataQueryResult result =
                    query.execute(TxControl.serializableRw(), params).join().getValue();
            assertThat(Rows.of(result.getResultSet(0)))
                    .containsExactly("\"text 7\"", "\"text 9\"");
        }
    }

    @Test
    void aQueryIsExplained() {
        var plan =
                session.explainDataQuery("SELECT text FROM `" + table + "` WHERE id = 5")
                        .join()
                        .getValue();
        assertThat(plan.getQueryPlan()).contains(table);
    }

    @Test
    void aTransactionSpansQueries() {
        TableTransaction transaction =
                session.beginTransaction(TxMode.SERIALIZABLE_RW).join().getValue();
        assertThat(
                        transaction
                                .executeDataQuery("DELETE FROM `" + table + "` WHERE id >= 10")
                                .join()
                                .isSuccess())
                .isTrue();
        assertThat(
                        Rows.of(
                                transaction
                                        .executeDataQuery("SELECT COUNT(*) FROM `" + table + "`")
                                        .join()
                                        .getValue()
                                        .getResultSet(0)))
                .containsExactly("10");
        assertThat(clients.rows("SELECT COUNT(*) FROM `" + table + "`")).containsExactly("1500");
        assertThat(transaction.rollback().join().isSuccess()).isTrue();
        assertThat(clients.rows("SELECT COUNT(*) FROM `" + table + "`")).containsExactly("1500");

        transaction = session.beginTransaction(TxMode.SERIALIZABLE_RW).join().getValue();
        transaction.executeDataQuery("DELETE FROM `" + table + "` WHERE id >= 10").join();
        assertThat(transaction.commit().join().isSuccess()).isTrue();
        assertThat(clients.rows("SELECT COUNT(*) FROM `" + table + "`")).containsExactly("10");
    }

    @Test
    void theRetryContextOfTheTableClientRetriesToo() {
        List<Integer> attempts = new ArrayList<>();
        Status status =
                SessionRetryContext.create(clients.tables())
                        .build()
                        .supplyResult(
                                own -> {
                                    attempts.add(attempts.size());
                                    TableTransaction transaction =
                                            own.createNewTransaction(TxMode.SERIALIZABLE_RW);
                                    String increment =
                                            "UPDATE `"
                                                    + table
                                                    + "` SET more = COALESCE(more, 0) + 1"
                                                    + " WHERE id = 5";
                                    transaction.executeDataQuery(increment).join();
                                    if (attempts.size() == 1) {
                                        clients.query(increment);
                                    }
                                    return transaction.executeDataQueryAndCommit("SELECT 1");
                                })
                        .join()
                        .getStatus();
        assertThat(status.isSuccess()).as("%s", status).isTrue();
        assertThat(attempts).hasSize(2);
        assertThat(clients.rows("SELECT more FROM `" + table + "` WHERE id = 5"))
                .containsExactly("2");
    }

    @Test
    void aScanSeesEverything() {
        List<String> ids = new ArrayList<>();
        Status status =
                session.executeScanQuery(
                                "SELECT id FROM `" + table + "` WHERE id >= $from",
                                Params.of("$from", PrimitiveValue.newUint64(100)),
                                ExecuteScanQuerySettings.newBuilder().build())
                        .start(part -> ids.addAll(Rows.of(part)))
                        .join();
        assertThat(status.isSuccess()).as("%s", status).isTrue();
        assertThat(ids).hasSize(1400).doesNotHaveDuplicates();
    }

    @Test
    void aTableIsReadInOrder() {
        List<String> rows =
                readTable(ReadTableSettings.newBuilder().orderedRead(true).columns("id", "text"));
        assertThat(rows)
                .isEqualTo(
                        LongStream.range(0, ROW_COUNT)
                                .mapToObj(id -> id + ", \"text " + id + "\"")
                                .toList());
    }

    @Test
    void aRangeOfATableIsRead() {
        ReadTableSettings.Builder range =
                ReadTableSettings.newBuilder()
                        .orderedRead(true)
                        .column("id")
                        .fromKeyExclusive(PrimitiveValue.newUint64(398))
                        .toKeyInclusive(PrimitiveValue.newUint64(401));
        assertThat(readTable(range)).containsExactly("399", "400", "401");
        assertThat(readTable(range.rowLimit(2))).containsExactly("399", "400");
        assertThat(
                        readTable(
                                ReadTableSettings.newBuilder()
                                        .column("id")
                                        .fromKeyInclusive(PrimitiveValue.newUint64(1498))))
                .containsExactly("1498", "1499");
    }

    @Test
    void partsOfATableHaveTheRowsThatWereAskedFor() {
        List<Integer> parts = new ArrayList<>();
        session.executeReadTable(
                        table,
                        ReadTableSettings.newBuilder().column("id").batchLimitRows(100).build())
                .start(part -> parts.add(part.getResultSetReader().getRowCount()))
                .join()
                .expectSuccess();
        assertThat(parts).allMatch(rowCount -> rowCount <= 100);
        assertThat(parts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROW_COUNT);
    }

    @Test
    void rowsAreReadByTheirKeys() {
        ReadRowsResult result =
                session.readRows(
                                table,
                                ReadRowsSettings.newBuilder()
                                        .addKey(key(3))
                                        .addKey(key(1000))
                                        .addKey(key(99_999))
                                        .addColumns("id", "text")
                                        .build())
                        .join()
                        .getValue();
        assertThat(Rows.of(result.getResultSetReader()))
                .containsExactlyInAnyOrder("3, \"text 3\"", "1000, \"text 1000\"");
        assertThat(
                        session.readRows(table, ReadRowsSettings.newBuilder().build())
                                .join()
                                .getStatus()
                                .getCode())
                .isEqualTo(StatusCode.BAD_REQUEST);
    }

    @Test
    void bulkUpsertKeepsTheColumnsItDoesNotName() {
        clients.query("UPDATE `" + table + "` SET more = 5 WHERE id = 1");
        StructType narrow = StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Text);
        session.executeBulkUpsert(
                        table,
                        ListType.of(narrow)
                                .newValue(
                                        List.of(
                                                narrow.newValue(
                                                        "id", PrimitiveValue.newUint64(1),
                                                        "text", PrimitiveValue.newText("new")))))
                .join()
                .expectSuccess();
        assertThat(clients.rows("SELECT text, more FROM `" + table + "` WHERE id = 1"))
                .containsExactly("\"new\", 5");
    }

    private static StructValue key(long id) {
        return StructValue.of("id", PrimitiveValue.newUint64(id));
    }

    private List<String> readTable(ReadTableSettings.Builder settings) {
        List<String> rows = new ArrayList<>();
        Status status =
                session.executeReadTable(table, settings.build())
                        .start(
                                part -> {
                                    ResultSetReader reader = part.getResultSetReader();
                                    rows.addAll(Rows.of(reader));
                                })
                        .join();
        assertThat(status.isSuccess()).as("%s", status).isTrue();
        return rows;
    }

    private DataQueryResult run(String text) {
        Result<DataQueryResult> result =
                session.executeDataQuery(text, TxControl.serializableRw()).join();
        assertThat(result.getStatus().isSuccess()).as("%s", result.getStatus()).isTrue();
        return result.getValue();
    }
}
