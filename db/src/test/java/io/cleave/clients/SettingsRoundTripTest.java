package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcRequestSettings;
import tech.ydb.proto.StatusCodesProtos.StatusIds;
import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.AlterTableResponse;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.TableProfile;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.table.Session;
import tech.ydb.table.description.ColumnFamily;
import tech.ydb.table.description.ColumnFamily.Compression;
import tech.ydb.table.description.StoragePool;
import tech.ydb.table.description.TableColumn;
import tech.ydb.table.description.TableDescription;
import tech.ydb.table.description.TableIndex;
import tech.ydb.table.description.TableTtl;
import tech.ydb.table.description.TableTtl.TtlMode;
import tech.ydb.table.description.TableTtl.TtlUnit;
import tech.ydb.table.settings.AlterTableSettings;
import tech.ydb.table.settings.CopyTablesSettings;
import tech.ydb.table.settings.CreateTableSettings;
import tech.ydb.table.settings.PartitioningPolicy;
import tech.ydb.table.settings.PartitioningSettings;
import tech.ydb.table.settings.ReplicationPolicy;
import tech.ydb.table.settings.StoragePolicy;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What the Java SDK's settings say of a table is what its description says then; where the SDK has
/// no class for it, its protocol.
@ExtendWith(SharedServer.class)
class SettingsRoundTripTest {
    private final Clients clients;
    private final String directory;
    private final Session session;

    SettingsRoundTripTest(Clients clients) {
        this.clients = clients;
        directory = clients.newDirectory();
        session = clients.tables().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    @AfterEach
    void closeSession() {
        session.close();
    }

    private static TableDescription.Builder table() {
        return TableDescription.newBuilder()
                .addNonnullColumn("id", PrimitiveType.Uint64)
                .addNullableColumn("at", PrimitiveType.Timestamp)
                .addNullableColumn("seconds", PrimitiveType.Uint32)
                .addNullableColumn("count", PrimitiveType.Uint64)
                .setPrimaryKey("id");
    }

    @Test
    void aTtlOfDates() {
        create(table().setTtlSettings(TableTtl.dateTimeColumn("at", 3600)).build());
        assertTtl(TtlMode.DATE_TYPE_COLUMN, "at", TtlUnit.UNSPECIFIED, 3600, 0);
    }

    @Test
    void aTtlOfNumbersInEveryUnit() {
        create(table().build());
        for (TtlUnit unit :
                List.of(
                        TtlUnit.SECONDS,
                        TtlUnit.MILLISECONDS,
                        TtlUnit.MICROSECONDS,
                        TtlUnit.NANOSECONDS)) {
            alter(
                    new AlterTableSettings()
                            .setTableTtl(
                                    TableTtl.valueSinceUnixEpoch("count", unit, 86_400)
                                            .withRunIntervalSeconds(1800)));
            assertTtl(TtlMode.VALUE_SINCE_UNIX_EPOCH, "count", unit, 86_400, 1800);
        }
        alter(new AlterTableSettings().setTableTtl(TableTtl.notSet()));
        assertThat(describe().getTableTtl().getTtlMode()).isEqualTo(TtlMode.NOT_SET);
    }

    @Test
    void theShortestRunIntervalIsAQuarterOfAnHour() {
        create(
                table().setTtlSettings(TableTtl.dateTimeColumn("at", 1).withRunIntervalSeconds(900))
                        .build());
        assertTtl(TtlMode.DATE_TYPE_COLUMN, "at", TtlUnit.UNSPECIFIED, 1, 900);
        Status status =
                session.alterTable(
                                directory + "/t",
                                new AlterTableSettings()
                                        .setTableTtl(
                                                TableTtl.dateTimeColumn("at", 1)
                                                        .withRunIntervalSeconds(899)))
                        .join();
        assertThat(status.getCode()).isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(status.toString()).contains("TTL run interval cannot be less than limit: 900");
    }

    private void assertTtl(
            TtlMode mode, String column, TtlUnit unit, int expireAfter, int runInterval) {
        TableTtl found = describe().getTableTtl();
        assertThat(found.getTtlMode()).isEqualTo(mode);
        assertThat(found.getDateTimeColumn()).isEqualTo(column);
        assertThat(found.getExpireAfterSeconds()).isEqualTo(expireAfter);
        if (unit != TtlUnit.UNSPECIFIED) {
            assertThat(found.getTtlUnit()).isEqualTo(unit);
        }
        Integer interval = found.getRunIntervalSeconds();
        assertThat(interval == null ? 0 : interval).isEqualTo(runInterval);
    }

    @Test
    void columnFamiliesAndWhatIsInThem() {
        create(
                TableDescription.newBuilder()
                        .addNonnullColumn("id", PrimitiveType.Uint64)
                        .addNullableColumn("big", PrimitiveType.Text, "cold")
                        .addNullableColumn("hot", PrimitiveType.Text, "kept")
                        .setPrimaryKey("id")
                        .addColumnFamily(
                                new ColumnFamily(
                                        "cold",
                                        new StoragePool("ssd"),
                                        Compression.COMPRESSION_LZ4))
                        .addColumnFamily(
                                new ColumnFamily(
                                        "kept",
                                        new StoragePool("ssd"),
                                        Compression.COMPRESSION_NONE))
                        .build());
        TableDescription found = describe();
        assertThat(found.getColumnFamilies())
                .extracting(ColumnFamily::getName)
                .containsExactly("default", "cold", "kept");
        ColumnFamily cold = found.getColumnFamilies().get(1);
        assertThat(cold.getCompression()).isEqualTo(Compression.COMPRESSION_LZ4);
        assertThat(cold.getData().getMedia()).isEqualTo("ssd");
        assertThat(found.getColumns()).extracting(TableColumn::getFamily).contains("cold", "kept");
    }

    @Test
    void partitioningOfEveryKind() {
        create(
                table().setPartitioningSettings(
                                new PartitioningSettings()
                                        .setPartitioningBySize(false)
                                        .setPartitioningByLoad(true)
                                        .setMinPartitionsCount(3)
                                        .setMaxPartitionsCount(30))
                        .build());
        PartitioningSettings found = describe().getPartitioningSettings();
        assertThat(found.getPartitioningBySize()).isFalse();
        assertThat(found.getPartitioningByLoad()).isTrue();
        assertThat(found.getMinPartitionsCount()).isEqualTo(3);
        assertThat(found.getMaxPartitionsCount()).isEqualTo(30);
        alter(
                new AlterTableSettings()
                        .setPartitioningSettings(
                                new PartitioningSettings()
                                        .setPartitioningBySize(true)
                                        .setPartitionSize(77)
                                        .setMinPartitionsCount(4)));
        found = describe().getPartitioningSettings();
        assertThat(found.getPartitioningBySize()).isTrue();
        assertThat(found.getPartitionSizeMb()).isEqualTo(77);
        assertThat(found.getMinPartitionsCount()).isEqualTo(4);
        assertThat(found.getMaxPartitionsCount()).isEqualTo(30);
    }

    @Test
    void theLeastPartitionsThatWereSaidCountWhateverTheTableBeginsWith() {
        for (int least : List.of(1, 2, 0)) {
            var partitioning = new PartitioningSettings();
            if (least > 0) {
                partitioning.setMinPartitionsCount(least).setMaxPartitionsCount(4);
            }
            var settings = new CreateTableSettings();
            settings.setPartitioningPolicy(new PartitioningPolicy().setUniformPartitions(8));
            TableDescription said = table().setPartitioningSettings(partitioning).build();
            succeed(session.createTable(directory + "/t", said, settings));
            PartitioningSettings found = describe().getPartitioningSettings();
            assertThat(found.getMinPartitionsCount()).isEqualTo(least == 0 ? 8 : least);
            assertThat(found.getMaxPartitionsCount()).isEqualTo(least == 0 ? 0 : 4);
            succeed(session.dropTable(directory + "/t"));
        }
    }

    @Test
    void policiesOfTheCreateSettings() {
        var settings = new CreateTableSettings();
        settings.setPresetName("default");
        settings.setCompactionPolicy("default");
        settings.setStoragePolicy(new StoragePolicy().setPresetName("default"));
        settings.setPartitioningPolicy(new PartitioningPolicy().setUniformPartitions(4));
        assertThat(session.createTable(directory + "/t", table().build(), settings).join())
                .matches(Status::isSuccess);
        assertThat(describe().getPartitioningSettings().getMinPartitionsCount()).isEqualTo(4);
        settings.setPresetName("nothing");
        assertThat(
                        session.createTable(directory + "/u", table().build(), settings)
                                .join()
                                .getCode())
                .isEqualTo(StatusCode.BAD_REQUEST);
    }

    @Test
    void replicasOfTheReplicationPolicy() {
        var settings = new CreateTableSettings();
        settings.setReplicationPolicy(
                new ReplicationPolicy().setReplicasCount(2).setCreatePerAvailabilityZone(true));
        assertThat(session.createTable(directory + "/t", table().build(), settings).join())
                .matches(Status::isSuccess);
        assertThat(describeProto().getReadReplicasSettings().getPerAzReadReplicasCount())
                .isEqualTo(2);
    }

    @Test
    void defaultsSerialColumnsAndIndexes() {
        create(
                TableDescription.newBuilder()
                        .addBigSerialColumn("id")
                        .addNonnullColumn(
                                "title", PrimitiveType.Text, PrimitiveValue.newText("none"))
                        .addNullableColumn("year", PrimitiveType.Int32)
                        .setPrimaryKey("id")
                        .addGlobalIndex("by_year", List.of("year"), List.of("title"))
                        .addGlobalUniqueIndex("by_title", List.of("title"))
                        .addGlobalAsyncIndex("later", List.of("year", "title"))
                        .build());
        TableDescription found = describe();
        assertThat(found.getColumns().get(0).getSequenceDescription()).isNotNull();
        assertThat(found.getColumns().get(1).getLiteralDefaultValue())
                .isEqualTo(PrimitiveValue.newText("none"));
        assertThat(found.getIndexes())
                .extracting(TableIndex::getName, TableIndex::getType, TableIndex::getDataColumns)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(
                                "by_year", TableIndex.Type.GLOBAL, List.of("title")),
                        org.assertj.core.groups.Tuple.tuple(
                                "by_title", TableIndex.Type.GLOBAL_UNIQUE, List.of()),
                        org.assertj.core.groups.Tuple.tuple(
                                "later", TableIndex.Type.GLOBAL_ASYNC, List.of()));
    }

    @Test
    void attributesBloomFilterAndReplicasOfTheProtocol() {
        assertThat(
                        createProto(
                                CreateTableRequest.newBuilder()
                                        .putAttributes("owner", "team")
                                        .putAttributes("größe", "1")
                                        .setKeyBloomFilter(FeatureFlag.Status.ENABLED)
                                        // The SDK has a field for it and does not send it.
                                        .addColumnFamilies(
                                                YdbTable.ColumnFamily.newBuilder()
                                                        .setName("kept")
                                                        .setKeepInMemory(
                                                                FeatureFlag.Status.ENABLED))
                                        .setReadReplicasSettings(
                                                ReadReplicasSettings.newBuilder()
                                                        .setAnyAzReadReplicasCount(1))
                                        .setProfile(
                                                TableProfile.newBuilder()
                                                        .setPresetName("default"))))
                .isEqualTo(StatusIds.StatusCode.SUCCESS);
        DescribeTableResult found = describeProto();
        assertThat(found.getAttributesMap()).isEqualTo(Map.of("owner", "team", "größe", "1"));
        assertThat(found.getKeyBloomFilter()).isEqualTo(FeatureFlag.Status.ENABLED);
        assertThat(found.getReadReplicasSettings().getAnyAzReadReplicasCount()).isEqualTo(1);
        assertThat(found.getColumnFamilies(1).getName()).isEqualTo("kept");
        assertThat(found.getColumnFamilies(1).getKeepInMemory())
                .isEqualTo(FeatureFlag.Status.ENABLED);
        assertThat(
                        alterProto(
                                AlterTableRequest.newBuilder()
                                        .putAlterAttributes("owner", "")
                                        .putAlterAttributes("more", "x")))
                .isEqualTo(StatusIds.StatusCode.SUCCESS);
        assertThat(
                        alterProto(
                                AlterTableRequest.newBuilder()
                                        .setSetKeyBloomFilter(FeatureFlag.Status.DISABLED)
                                        .setSetReadReplicasSettings(
                                                ReadReplicasSettings.newBuilder()
                                                        .setPerAzReadReplicasCount(2))))
                .isEqualTo(StatusIds.StatusCode.SUCCESS);
        found = describeProto();
        assertThat(found.getAttributesMap()).isEqualTo(Map.of("größe", "1", "more", "x"));
        assertThat(found.getKeyBloomFilter()).isEqualTo(FeatureFlag.Status.DISABLED);
        assertThat(found.getReadReplicasSettings().getPerAzReadReplicasCount()).isEqualTo(2);
    }

    @Test
    void aBalancerThatWasSetIsDescribedByAnAttribute() {
        assertThat(createProto(CreateTableRequest.newBuilder()))
                .isEqualTo(StatusIds.StatusCode.SUCCESS);
        assertThat(describeProto().getAttributesMap()).isEmpty();
        String alter = "ALTER TABLE `" + directory + "/t` ";
        succeed(session.executeSchemeQuery(alter + "SET (BALANCER = yt)"));
        assertThat(describeProto().getAttributesMap()).isEqualTo(Map.of("__balancer", "yt"));
        succeed(session.executeSchemeQuery(alter + "RESET (BALANCER)"));
        assertThat(describeProto().getAttributesMap()).isEmpty();
    }

    @Test
    void attributesEndAtTheExactByte() {
        String longest = "n".repeat(98) + "ö";
        assertThat(attribute(longest, "v".repeat(4094) + "ö"))
                .isEqualTo(StatusIds.StatusCode.SUCCESS);
        assertThat(describeProto().getAttributesMap()).hasSize(1);
        assertThat(attribute("n" + longest, "v")).isEqualTo(StatusIds.StatusCode.BAD_REQUEST);
        assertThat(attribute("n", "v".repeat(4095) + "ö"))
                .isEqualTo(StatusIds.StatusCode.BAD_REQUEST);
        assertThat(attribute("", "v")).isEqualTo(StatusIds.StatusCode.BAD_REQUEST);
        assertThat(attribute("__mine", "v")).isEqualTo(StatusIds.StatusCode.BAD_REQUEST);
        // 4,196 bytes are there; together they may be 10,240.
        assertThat(attribute("aa", "v".repeat(4096))).isEqualTo(StatusIds.StatusCode.SUCCESS);
        int left = 10_240 - (100 + 4096) - (2 + 4096) - 2;
        assertThat(attribute("bb", "v".repeat(left + 1)))
                .isEqualTo(StatusIds.StatusCode.BAD_REQUEST);
        assertThat(attribute("bb", "v".repeat(left))).isEqualTo(StatusIds.StatusCode.SUCCESS);
    }

    /// Makes the table when there is none yet.
    private StatusIds.StatusCode attribute(String name, String value) {
        if (session.describeTable(directory + "/t").join().isSuccess()) {
            return alterProto(AlterTableRequest.newBuilder().putAlterAttributes(name, value));
        }
        return createProto(CreateTableRequest.newBuilder().putAttributes(name, value));
    }

    @Test
    void copiesAreDescribedAsTheirSources() {
        create(
                table().setTtlSettings(TableTtl.dateTimeColumn("at", 3600))
                        .addGlobalIndex("by_count", List.of("count"))
                        .build());
        succeed(session.copyTable(directory + "/t", directory + "/one"));
        succeed(
                session.copyTables(
                        new CopyTablesSettings()
                                // Without the last argument the SDK leaves them out.
                                .addTable(directory + "/t", directory + "/two", false)
                                .addTable(directory + "/t", directory + "/bare", true)));
        for (String name : List.of("/one", "/two", "/bare")) {
            TableDescription copy = session.describeTable(directory + name).join().getValue();
            assertThat(copy.getTableTtl().getExpireAfterSeconds()).isEqualTo(3600);
            assertThat(copy.getColumns()).hasSize(4);
            assertThat(copy.getIndexes()).as(name).hasSize(name.equals("/bare") ? 0 : 1);
        }
    }

    private void create(TableDescription table) {
        succeed(session.createTable(directory + "/t", table));
    }

    private void alter(AlterTableSettings settings) {
        succeed(session.alterTable(directory + "/t", settings));
    }

    private TableDescription describe() {
        return session.describeTable(directory + "/t").join().getValue();
    }

    private StatusIds.StatusCode createProto(CreateTableRequest.Builder request) {
        CreateTableRequest whole =
                request.setPath(directory + "/t")
                        .addColumns(
                                ColumnMeta.newBuilder()
                                        .setName("id")
                                        .setType(PrimitiveType.Uint64.toPb()))
                        .addPrimaryKey("id")
                        .build();
        return clients.transport()
                .unaryCall(
                        TableServiceGrpc.getCreateTableMethod(),
                        GrpcRequestSettings.newBuilder().build(),
                        whole)
                .join()
                .getValue()
                .getOperation()
                .getStatus();
    }

    private StatusIds.StatusCode alterProto(AlterTableRequest.Builder request) {
        AlterTableResponse response =
                clients.transport()
                        .unaryCall(
                                TableServiceGrpc.getAlterTableMethod(),
                                GrpcRequestSettings.newBuilder().build(),
                                request.setPath(directory + "/t").build())
                        .join()
                        .getValue();
        return response.getOperation().getStatus();
    }

    private DescribeTableResult describeProto() {
        try {
            return clients.transport()
                    .unaryCall(
                            TableServiceGrpc.getDescribeTableMethod(),
                            GrpcRequestSettings.newBuilder().build(),
                            DescribeTableRequest.newBuilder().setPath(directory + "/t").build())
                    .join()
                    .getValue()
                    .getOperation()
                    .getResult()
                    .unpack(DescribeTableResult.class);
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static void succeed(CompletableFuture<Status> status) {
        assertThat(status.join()).matches(Status::isSuccess);
    }
}
