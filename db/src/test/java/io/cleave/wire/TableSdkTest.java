package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcReadStream;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.Session;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.description.TableDescription;
import tech.ydb.table.query.DataQuery;
import tech.ydb.table.query.DataQueryResult;
import tech.ydb.table.query.Params;
import tech.ydb.table.query.ReadTablePart;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.settings.AlterTableSettings;
import tech.ydb.table.settings.CreateTableSettings;
import tech.ydb.table.settings.DescribeTableSettings;
import tech.ydb.table.settings.ExecuteScanQuerySettings;
import tech.ydb.table.settings.PartitioningPolicy;
import tech.ydb.table.settings.PartitioningSettings;
import tech.ydb.table.settings.ReadRowsSettings;
import tech.ydb.table.settings.ReadTableSettings;
import tech.ydb.table.transaction.TableTransaction;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.Value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;

/// YDB's own table client against a server in this process.
class TableSdkTest {
    private static final TestServer SERVER = new TestServer();
    private static final GrpcTransport TRANSPORT =
            GrpcTransport.forConnectionString(SERVER.connectionString()).build();
    private static final TableClient CLIENT = TableClient.newClient(TRANSPORT).build();
    private static final TxControl<?> AUTO = TxControl.serializableRw().setCommitTx(true);
    private static final StructType ROW =
            StructType.of(
                    Map.of("id", PrimitiveType.Uint64, "name", PrimitiveType.Text.makeOptional()));

    @AfterAll
    static void stop() {
        CLIENT.close();
        TRANSPORT.close();
        SERVER.close();
    }

    private static <T> T inSession(Function<Session, T> body) {
        try (Session session = CLIENT.createSession(Duration.ofSeconds(5)).join().getValue()) {
            return body.apply(session);
        }
    }

    private static TableDescription.Builder description() {
        return TableDescription.newBuilder()
                .addNonnullColumn("id", PrimitiveType.Uint64)
                .addNullableColumn("name", PrimitiveType.Text)
                .setPrimaryKey("id");
    }

    private static void create(String name) {
        inSession(s -> s.createTable("/local/" + name, description().build()).join())
                .expectSuccess();
    }

    private static Value<?> row(long id, String name) {
        return ROW.newValue(
                Map.of(
                        "id", PrimitiveValue.newUint64(id),
                        "name", PrimitiveValue.newText(name).makeOptional()));
    }

    private static void fill(String name, long rows) {
        List<Value<?>> values =
                LongStream.range(0, rows).<Value<?>>mapToObj(i -> row(i, "n" + i)).toList();
        ListValue list = ListType.of(ROW).newValue(new ArrayList<>(values));
        inSession(s -> s.executeBulkUpsert("/local/" + name, list).join()).expectSuccess();
    }

    private static DataQueryResult query(String text, Params params) {
        return inSession(s -> s.executeDataQuery(text, AUTO, params).join().getValue());
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

    /// The SDK gives a list the type of its first item.
    @Test
    void bulkRowsMayBeNullWhereTheFirstOneIsNot() {
        create("bulk_nulls");
        ListValue rows =
                ListValue.of(
                        StructValue.of(
                                "id", PrimitiveValue.newUint64(1),
                                "name", PrimitiveValue.newText("one")),
                        StructValue.of(
                                "id", PrimitiveValue.newUint64(2),
                                "name", PrimitiveType.Text.makeOptional().emptyValue()));
        inSession(s -> s.executeBulkUpsert("/local/bulk_nulls", rows).join()).expectSuccess();
        var read = query("SELECT COUNT(*), COUNT(name) FROM bulk_nulls", Params.empty());
        ResultSetReader counts = read.getResultSet(0);
        assertThat(counts.next()).isTrue();
        assertThat(counts.getColumn(0).getUint64()).isEqualTo(2);
        assertThat(counts.getColumn(1).getUint64()).isEqualTo(1);

        ListValue noKey =
                ListValue.of(
                        StructValue.of("id", PrimitiveValue.newUint64(3)),
                        StructValue.of("id", PrimitiveType.Uint64.makeOptional().emptyValue()));
        assertStatus(
                inSession(s -> s.executeBulkUpsert("/local/bulk_nulls", noKey).join()),
                StatusCode.BAD_REQUEST,
                "Received NULL value for not null column: id");
    }

    @Test
    void aTableIsDescribedAsItWasMade() {
        var partitioning =
                new PartitioningSettings()
                        .setPartitioningBySize(true)
                        .setPartitionSize(100)
                        .setMaxPartitionsCount(20);
        inSession(
                        s ->
                                s.createTable(
                                                "/local/dir/described",
                                                description()
                                                        .setPartitioningSettings(partitioning)
                                                        .build(),
                                                new CreateTableSettings()
                                                        .setPartitioningPolicy(
                                                                new PartitioningPolicy()
                                                                        .setUniformPartitions(4)))
                                        .join())
                .expectSuccess();
        var settings = new DescribeTableSettings();
        settings.setIncludeShardKeyBounds(true);
        settings.setIncludeTableStats(true);
        settings.setIncludePartitionStats(true);
        TableDescription table =
                inSession(s -> s.describeTable("/local/dir/described", settings).join().getValue());
        assertThat(table.getPrimaryKeys()).containsExactly("id");
        assertThat(table.getColumns()).extracting(c -> c.getName()).containsExactly("id", "name");
        assertThat(table.getColumns().get(0).getType()).isEqualTo(PrimitiveType.Uint64);
        assertThat(table.getColumns().get(1).getType())
                .isEqualTo(PrimitiveType.Text.makeOptional());
        assertThat(table.getKeyRanges()).hasSize(4);
        assertThat(table.getPartitionStats()).hasSize(4);
        PartitioningSettings described = Objects.requireNonNull(table.getPartitioningSettings());
        assertThat(described.getPartitionSizeMb()).isEqualTo(100);
        assertThat(described.getMaxPartitionsCount()).isEqualTo(20);
        assertThat(described.getMinPartitionsCount()).isEqualTo(4);
    }

    @Test
    void aTableIsChangedRenamedAndDropped() {
        create("changed");
        inSession(
                        s ->
                                s.alterTable(
                                                "/local/changed",
                                                new AlterTableSettings()
                                                        .addNullableColumn(
                                                                "extra", PrimitiveType.Int32)
                                                        .dropColumn("name"))
                                        .join())
                .expectSuccess();
        assertThat(inSession(s -> s.describeTable("/local/changed").join().getValue()).getColumns())
                .extracting(c -> c.getName())
                .containsExactly("id", "extra");
        inSession(s -> s.renameTable("/local/changed", "/local/renamed").join()).expectSuccess();
        inSession(s -> s.dropTable("/local/renamed").join()).expectSuccess();
        assertStatus(
                inSession(s -> s.dropTable("/local/renamed").join()),
                StatusCode.SCHEME_ERROR,
                "/local/renamed");
        assertStatus(
                inSession(s -> s.copyTable("/local/changed", "/local/x").join()),
                StatusCode.SCHEME_ERROR,
                "/local/changed");
    }

    @Test
    void creatingTwiceIsFine() {
        create("twice");
        create("twice");
    }

    @Test
    void queriesArePreparedAndRun() {
        create("prepared");
        String text =
                "DECLARE $id AS Uint64; DECLARE $name AS Text?;"
                        + " UPSERT INTO prepared (id, name) VALUES ($id, $name);";
        inSession(
                session -> {
                    DataQuery query = session.prepareDataQuery(text).join().getValue();
                    assertThat(query.types())
                            .containsEntry("$id", PrimitiveType.Uint64)
                            .containsEntry("$name", PrimitiveType.Text.makeOptional());
                    Params params =
                            query.newParams()
                                    .put("$id", PrimitiveValue.newUint64(1))
                                    .put("$name", PrimitiveValue.newText("one").makeOptional());
                    query.execute(AUTO, params).join().getValue();
                    return query.execute(AUTO, params).join().getStatus();
                });
        assertThat(strings(query("SELECT id, name FROM prepared", Params.empty()).getResultSet(0)))
                .containsExactly("1=one");
        String byKey = "DECLARE $id AS Uint64; SELECT id, name FROM prepared WHERE id = $id";
        Params one = Params.of("$id", PrimitiveValue.newUint64(1));
        for (int run = 0; run < 3; run++) {
            assertThat(strings(query(byKey, one).getResultSet(0))).containsExactly("1=one");
        }
        Params two = Params.of("$id", PrimitiveValue.newUint64(2));
        assertThat(strings(query(byKey, two).getResultSet(0))).isEmpty();
    }

    @Test
    void aDataQueryAnswersAThousandRowsAndSaysThatItCut() {
        create("many");
        fill("many", 1500);
        ResultSetReader rows = query("SELECT id, name FROM many", Params.empty()).getResultSet(0);
        assertThat(rows.getRowCount()).isEqualTo(1000);
        assertThat(rows.isTruncated()).isTrue();
        assertThat(query("SELECT id, name FROM many LIMIT 1000", Params.empty()).isTruncated(0))
                .isFalse();
    }

    @Test
    void aScanAndAReadOfTheTableSeeEverything() {
        create("scanned");
        fill("scanned", 3000);
        long[] count = {0};
        inSession(
                session -> {
                    GrpcReadStream<ResultSetReader> scan =
                            session.executeScanQuery(
                                    "SELECT id, name FROM scanned",
                                    Params.empty(),
                                    ExecuteScanQuerySettings.newBuilder().build());
                    scan.start(part -> count[0] += part.getRowCount()).join().expectSuccess();
                    return session;
                });
        assertThat(count[0]).isEqualTo(3000);

        List<Long> ids = new ArrayList<>();
        inSession(
                session -> {
                    GrpcReadStream<ReadTablePart> read =
                            session.executeReadTable(
                                    "/local/scanned",
                                    ReadTableSettings.newBuilder()
                                            .orderedRead(true)
                                            .fromKeyExclusive(PrimitiveValue.newUint64(10))
                                            .toKeyInclusive(PrimitiveValue.newUint64(13))
                                            .column("id")
                                            .build());
                    read.start(
                                    part -> {
                                        ResultSetReader rows = part.getResultSetReader();
                                        while (rows.next()) {
                                            ids.add(rows.getColumn("id").getUint64());
                                        }
                                    })
                            .join()
                            .expectSuccess();
                    return session;
                });
        assertThat(ids).containsExactly(11L, 12L, 13L);
    }

    @Test
    void rowsAreReadByKey() {
        create("looked_up");
        fill("looked_up", 10);
        StructType keyType = StructType.of("id", PrimitiveType.Uint64);
        List<StructValue> keys =
                LongStream.of(3, 77, 5)
                        .mapToObj(id -> keyType.newValue("id", PrimitiveValue.newUint64(id)))
                        .toList();
        var found =
                inSession(
                        s ->
                                s.readRows(
                                                "/local/looked_up",
                                                ReadRowsSettings.newBuilder()
                                                        .addColumns("id", "name")
                                                        .addKeys(keys.toArray(StructValue[]::new))
                                                        .build())
                                        .join()
                                        .getValue());
        assertThat(strings(found.getResultSetReader())).containsExactly("3=n3", "5=n5");
        Result<?> none =
                inSession(
                        s ->
                                s.readRows(
                                                "/local/looked_up",
                                                ReadRowsSettings.newBuilder()
                                                        .addColumns("id")
                                                        .build())
                                        .join());
        assertStatus(none.getStatus(), StatusCode.BAD_REQUEST, "");
    }

    @Test
    void aConflictIsRetriedByTheClientsOwnRetryContext() {
        create("contended");
        fill("contended", 1);
        SessionRetryContext retry = SessionRetryContext.create(CLIENT).build();
        String read = "SELECT id, name FROM contended WHERE id = 0";
        int[] runs = {0};
        Status status =
                retry.supplyStatus(
                                session -> {
                                    runs[0]++;
                                    TableTransaction tx =
                                            session.beginTransaction(TxMode.SERIALIZABLE_RW)
                                                    .join()
                                                    .getValue();
                                    tx.executeDataQuery(read).join().getValue();
                                    if (runs[0] == 1) {
                                        query(
                                                "UPSERT INTO contended (id, name)"
                                                        + " VALUES (0ul, 'other'u)",
                                                Params.empty());
                                    }
                                    tx.executeDataQuery(
                                                    "UPSERT INTO contended (id, name)"
                                                            + " VALUES (0ul, 'mine'u)")
                                            .join();
                                    return tx.commit();
                                })
                        .join();
        status.expectSuccess();
        assertThat(runs[0]).isEqualTo(2);
        assertThat(strings(query(read, Params.empty()).getResultSet(0))).containsExactly("0=mine");
    }

    @Test
    void aTransactionThatEndedIsNotFound() {
        inSession(
                session -> {
                    TableTransaction tx =
                            session.beginTransaction(TxMode.SERIALIZABLE_RW).join().getValue();
                    String id = tx.getId();
                    assertThat(id).hasSize(26);
                    tx.rollback().join().expectSuccess();
                    Status again =
                            session.executeDataQuery("SELECT 1", TxControl.id(id))
                                    .join()
                                    .getStatus();
                    assertStatus(again, StatusCode.NOT_FOUND, "Transaction not found: " + id);
                    return session;
                });
    }

    @Test
    void mistakesAreNamedAndTheSessionLivesOn() {
        create("mistaken");
        inSession(
                session -> {
                    Status unknown =
                            session.executeDataQuery("SELECT * FROM no_such_table", AUTO)
                                    .join()
                                    .getStatus();
                    assertStatus(
                            unknown,
                            StatusCode.SCHEME_ERROR,
                            "Cannot find table 'db.[/local/no_such_table]'");
                    Status scheme =
                            session.executeDataQuery("DROP TABLE mistaken", AUTO)
                                    .join()
                                    .getStatus();
                    assertStatus(
                            scheme,
                            StatusCode.GENERIC_ERROR,
                            "Operation 'DropTable' can't be performed in data query");
                    Status group =
                            session.executeDataQuery("DROP GROUP nobody", AUTO).join().getStatus();
                    assertStatus(
                            group,
                            StatusCode.GENERIC_ERROR,
                            "Operation 'DropGroup' can't be performed in data query");
                    Status readOnly =
                            session.executeDataQuery(
                                            "UPSERT INTO mistaken (id) VALUES (1ul)",
                                            TxControl.snapshotRo())
                                    .join()
                                    .getStatus();
                    assertStatus(
                            readOnly,
                            StatusCode.GENERIC_ERROR,
                            "Operation 'Upsert' can't be performed in read only transaction");
                    Status missing =
                            session.executeDataQuery(
                                            "DECLARE $x AS Int32; SELECT $x", AUTO, Params.empty())
                                    .join()
                                    .getStatus();
                    assertStatus(missing, StatusCode.BAD_REQUEST, "$x");
                    Status mismatch =
                            session.executeDataQuery(
                                            "DECLARE $x AS Int32; SELECT $x",
                                            AUTO,
                                            Params.of("$x", PrimitiveValue.newText("no")))
                                    .join()
                                    .getStatus();
                    assertStatus(mismatch, StatusCode.BAD_REQUEST, "expected: Int32, actual: Utf8");
                    Status open =
                            session.executeDataQuery(
                                            "SELECT 1", TxControl.onlineRo().setCommitTx(false))
                                    .join()
                                    .getStatus();
                    assertStatus(
                            open,
                            StatusCode.BAD_REQUEST,
                            "open transactions not supported for transaction mode OnlineReadOnly");
                    return session.executeDataQuery("SELECT 1", AUTO).join().getValue();
                });
    }

    @Test
    void aPlanMayBeOfWhatItsTextWouldMake() {
        var plan =
                inSession(
                        s ->
                                s.explainDataQuery(
                                                "CREATE TABLE planned (id Int32, PRIMARY KEY (id));"
                                                        + " ALTER TABLE planned ADD COLUMN v Int32")
                                        .join()
                                        .getValue());
        assertThat(plan.getQueryPlan())
                .contains("\"CreateTable\",\"Path\":\"/local/planned\"")
                .contains("\"AlterTable\",\"Path\":\"/local/planned\"");
    }

    @Test
    void plansAreExplained() {
        create("explained");
        var plan =
                inSession(
                        s ->
                                s.explainDataQuery("SELECT * FROM explained WHERE id = 1")
                                        .join()
                                        .getValue());
        assertThat(plan.getQueryPlan()).contains("/local/explained");
    }

    @Test
    void optionsAreDescribed() {
        var options = inSession(s -> s.describeTableOptions().join().getValue());
        assertThat(options.getTableProfileDescriptions())
                .extracting(p -> p.getName())
                .contains("default");
        assertThat(options.getStoragePolicyPresets())
                .extracting(p -> p.getName())
                .contains("default", "log_lz4");
        assertThat(options.getStoragePolicyPresets().getFirst().getLabels())
                .containsEntry("media", "ssd");
        assertThat(options.getCompactionPolicyPresets())
                .extracting(p -> p.getName())
                .containsExactly("default");
    }

    @Test
    void sessionsAreKeptAlive() {
        Session.State state = inSession(s -> s.keepAlive().join().getValue());
        assertThat(state).isEqualTo(Session.State.READY);
    }
}
