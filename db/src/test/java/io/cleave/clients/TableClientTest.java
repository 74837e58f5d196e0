package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.table.Session;
import tech.ydb.table.description.KeyBound;
import tech.ydb.table.description.TableColumn;
import tech.ydb.table.description.TableDescription;
import tech.ydb.table.settings.AlterTableSettings;
import tech.ydb.table.settings.CreateTableSettings;
import tech.ydb.table.settings.DescribeTableSettings;
import tech.ydb.table.settings.PartitioningPolicy;
import tech.ydb.table.settings.PartitioningSettings;
import tech.ydb.table.values.DecimalType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.TupleValue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Tables as `ydb-sdk-table` makes, describes, alters, renames and drops them.
@ExtendWith(SharedServer.class)
class TableClientTest {
    private static final TableDescription SERIES =
            TableDescription.newBuilder()
                    .addNonnullColumn("id", PrimitiveType.Uint64)
                    .addNullableColumn("title", PrimitiveType.Text)
                    .addNullableColumn("price", DecimalType.of(22, 9))
                    .addNullableColumn("data", PrimitiveType.Bytes)
                    .setPrimaryKey("id")
                    .build();

    private final Clients clients;
    private final String directory;
    private final Session session;

    TableClientTest(Clients clients) {
        this.clients = clients;
        directory = clients.newDirectory();
        session = clients.tables().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    @AfterEach
    void closeSession() {
        session.close();
    }

    @Test
    void aTableIsDescribedAsItWasCreated() {
        succeed(session.createTable(directory + "/series", SERIES));
        TableDescription found = describe("/series");
        assertThat(found.getColumns())
                .extracting(TableColumn::getName)
                .containsExactly("id", "title", "price", "data");
        assertThat(found.getColumns().get(0).getType()).isEqualTo(PrimitiveType.Uint64);
        assertThat(found.getColumns().get(1).getType())
                .isEqualTo(PrimitiveType.Text.makeOptional());
        assertThat(found.getColumns().get(2).getType())
                .isEqualTo(DecimalType.of(22, 9).makeOptional());
        assertThat(found.getPrimaryKeys()).containsExactly("id");
        assertThat(found.getStoreType()).isEqualTo(TableDescription.StoreType.ROW);
        assertThat(found.getColumnFamilies()).hasSize(1);
        assertThat(found.getColumnFamilies().get(0).getName()).isEqualTo("default");
        assertThat(found.getTableStats()).isNull();
        assertThat(found.getPartitionStats()).isEmpty();
    }

    @Test
    void theDefaultsOfPartitioningAreYdbs() {
        succeed(session.createTable(directory + "/series", SERIES));
        PartitioningSettings settings = describe("/series").getPartitioningSettings();
        assertThat(settings.getPartitioningBySize()).isTrue();
        assertThat(settings.getPartitionSizeMb()).isEqualTo(2048);
        assertThat(settings.getPartitioningByLoad()).isFalse();
        assertThat(settings.getMinPartitionsCount()).isEqualTo(1);
        assertThat(settings.getMaxPartitionsCount()).isZero();
    }

    @Test
    void alteredPartitioningIsMerged() {
        PartitioningSettings created = new PartitioningSettings();
        created.setPartitionSize(2500);
        created.setMinPartitionsCount(5);
        created.setMaxPartitionsCount(500);
        created.setPartitioningByLoad(true);
        created.setPartitioningBySize(true);
        succeed(
                session.createTable(
                        directory + "/t",
                        TableDescription.newBuilder()
                                .addNullableColumn("id", PrimitiveType.Int64)
                                .setPrimaryKey("id")
                                .setPartitioningSettings(created)
                                .build()));
        PartitioningSettings change = new PartitioningSettings();
        change.setMinPartitionsCount(2);
        change.setPartitioningByLoad(false);
        AlterTableSettings alteration = new AlterTableSettings();
        alteration.setPartitioningSettings(change);
        succeed(session.alterTable(directory + "/t", alteration));

        PartitioningSettings found = describe("/t").getPartitioningSettings();

        assertThat(found.getPartitionSizeMb()).isEqualTo(2500);
        assertThat(found.getMinPartitionsCount()).isEqualTo(2);
        assertThat(found.getMaxPartitionsCount()).isEqualTo(500);
        assertThat(found.getPartitioningByLoad()).isFalse();
    }

    @Test
    void uniformPartitionsHaveYdbsBounds() {
        succeed(
                session.createTable(
                        directory + "/series",
                        SERIES,
                        new CreateTableSettings()
                                .setPartitioningPolicy(
                                        new PartitioningPolicy().setUniformPartitions(4))));
        TableDescription found = describe("/series");
        assertThat(bounds(found))
                .containsExactly(
                        uint64(0x4000_0000_0000_0000L),
                        uint64(0x8000_0000_0000_0000L),
                        uint64(0xC000_0000_0000_0000L));
        assertThat(found.getPartitioningSettings().getMinPartitionsCount()).isEqualTo(4);
    }

    @Test
    void explicitPartitionsHaveTheBoundsThatWereGiven() {
        succeed(
                session.createTable(
                        directory + "/series",
                        SERIES,
                        new CreateTableSettings()
                                .setPartitioningPolicy(
                                        new PartitioningPolicy()
                                                .setExplicitPartitioningPoints(
                                                        List.of(uint64(100), uint64(200))))));
        assertThat(bounds(describe("/series"))).containsExactly(uint64(100), uint64(200));
    }

    @Test
    void statisticsCountRowsInEachPartition() {
        succeed(
                session.createTable(
                        directory + "/series",
                        SERIES,
                        new CreateTableSettings()
                                .setPartitioningPolicy(
                                        new PartitioningPolicy()
                                                .setExplicitPartitioningPoints(
                                                        List.of(uint64(100))))));
        clients.query(
                "UPSERT INTO `" + directory + "/series` (id) VALUES (1ul), (2ul), (300ul)");
        DescribeTableSettings settings = new DescribeTableSettings();
        settings.setIncludeTableStats(true);
        settings.setIncludePartitionStats(true);
        TableDescription found =
                session.describeTable(directory + "/series", settings).join().getValue();
        assertThat(found.getTableStats().getRowsEstimate()).isEqualTo(3);
        assertThat(found.getPartitionStats())
                .extracting(TableDescription.PartitionStats::rowsEstimate)
                .containsExactly(2L, 1L);
    }

    @Test
    void addedColumnsGoLastAndDroppedOnesGo() {
        succeed(session.createTable(directory + "/series", SERIES));
        succeed(
                session.alterTable(
                        directory + "/series",
                        new AlterTableSettings()
                                .addNullableColumn("more", PrimitiveType.Int32)
                                .dropColumn("price")));
        assertThat(describe("/series").getColumns())
                .extracting(TableColumn::getName)
                .containsExactly("id", "title", "data", "more");
    }

    @Test
    void aDroppedTableIsGone() {
        succeed(session.createTable(directory + "/series", SERIES));
        succeed(session.dropTable(directory + "/series"));
        assertThat(session.describeTable(directory + "/series").join().getStatus().getCode())
                .isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(session.dropTable(directory + "/series").join().getCode())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    @Test
    void aRenamedTableKeepsItsRows() {
        succeed(session.createTable(directory + "/a", SERIES));
        succeed(session.createTable(directory + "/b", SERIES));
        clients.query("UPSERT INTO `" + directory + "/a` (id) VALUES (1)");

        Status refused = session.renameTable(directory + "/a", directory + "/b").join();
        assertThat(refused.isSuccess()).as("%s", refused).isFalse();
        succeed(session.renameTable(directory + "/a", directory + "/b", true));

        assertThat(clients.rows("SELECT id FROM `" + directory + "/b`")).containsExactly("1");
        assertThat(session.describeTable(directory + "/a").join().getStatus().getCode())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    @Test
    void creatingATableAgainLeavesItAloneAndSaysSo() {
        succeed(session.createTable(directory + "/series", SERIES));
        clients.query("UPSERT INTO `" + directory + "/series` (id) VALUES (1)");
        Status again = session.createTable(directory + "/series", SERIES).join();
        assertThat(again.toString()).contains(directory + "/series").contains("path exist");
        assertThat(clients.rows("SELECT id FROM `" + directory + "/series`"))
                .containsExactly("1");
    }

    @Test
    void schemeQueriesAreDdl() {
        succeed(
                session.executeSchemeQuery(
                        "CREATE TABLE `"
                                + directory
                                + "/t` (a Int32, b Utf8, PRIMARY KEY (a, b))"
                                + " WITH (PARTITION_AT_KEYS = ((5), (10, \"x\")))"));
        TableDescription found = describe("/t");
        assertThat(found.getPrimaryKeys()).containsExactly("a", "b");
        assertThat(bounds(found)).hasSize(2);
    }

    @Test
    void aSessionIsKeptAlive() {
        assertThat(session.keepAlive().join().getValue()).isEqualTo(Session.State.READY);
        assertThat(session.getId()).contains("node_id=");
    }

    private static TupleValue uint64(long key) {
        return TupleValue.of(PrimitiveValue.newUint64(key).makeOptional());
    }

    private static void succeed(CompletableFuture<Status> status) {
        assertThat(status.join()).matches(Status::isSuccess);
    }

    private TableDescription describe(String name) {
        DescribeTableSettings settings = new DescribeTableSettings();
        settings.setIncludeShardKeyBounds(true);
        return session.describeTable(directory + name, settings).join().getValue();
    }

    /// The keys at which partitions begin, but for the first.
    private static List<TupleValue> bounds(TableDescription table) {
        return table.getKeyRanges().stream()
                .map(range -> range.getFrom().map(KeyBound::getValue))
                .flatMap(Optional::stream)
                .map(TupleValue.class::cast)
                .toList();
    }
}
