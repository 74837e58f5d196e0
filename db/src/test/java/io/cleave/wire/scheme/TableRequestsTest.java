package io.cleave.wire.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableChange.AlterFamily;
import io.cleave.schema.TableChange.FamilySettings;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.ProtoValues;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.ColumnFamily;
import tech.ydb.proto.table.YdbTable.ColumnFamily.Compression;
import tech.ydb.proto.table.YdbTable.ColumnFamilyPolicy;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.ExplicitPartitions;
import tech.ydb.proto.table.YdbTable.PartitioningPolicy;
import tech.ydb.proto.table.YdbTable.PartitioningPolicy.AutoPartitioningPolicy;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.ReplicationPolicy;
import tech.ydb.proto.table.YdbTable.StoragePool;
import tech.ydb.proto.table.YdbTable.StorageSettings;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.table.YdbTable.TableProfile;

import java.util.List;
import java.util.Optional;

class TableRequestsTest {
    private static CreateTableRequest.Builder create() {
        return CreateTableRequest.newBuilder()
                .addColumns(column("id", Primitive.UINT64))
                .addColumns(column("name", Primitive.UTF8.optional()))
                .addPrimaryKey("id");
    }

    private static ColumnMeta column(String name, Type type) {
        return ColumnMeta.newBuilder().setName(name).setType(ProtoTypes.toProto(type)).build();
    }

    private static TableDefinition definition(CreateTableRequest.Builder request) {
        return TableDefinitions.of(request.build(), "/local/t");
    }

    @Test
    void aBareTypeIsNotNull() {
        assertThat(definition(create()).columns())
                .containsExactly(
                        new TableDefinition.NewColumn(
                                "id",
                                Primitive.UINT64,
                                true,
                                Column.DEFAULT_FAMILY,
                                Optional.empty()),
                        new TableDefinition.NewColumn(
                                "name",
                                Primitive.UTF8,
                                false,
                                Column.DEFAULT_FAMILY,
                                Optional.empty()));
    }

    @Test
    void aTableIsNotMergedBelowTheTabletsItWasMadeWith() {
        TableDefinition uniform = definition(create().setUniformPartitions(4));
        assertThat(uniform.layout()).isEqualTo(new Layout.Uniform(4));
        assertThat(uniform.options().partitioning().minCount()).isEqualTo(4);

        var least = PartitioningSettings.newBuilder().setMinPartitionsCount(2);
        assertThat(
                        definition(create().setUniformPartitions(4).setPartitioningSettings(least))
                                .options()
                                .partitioning()
                                .minCount())
                .isEqualTo(2);
        assertThat(definition(create()).options().partitioning()).isEqualTo(Partitioning.DEFAULT);
    }

    private static Partitioning partitioning(
            AutoPartitioningPolicy policy, PartitioningSettings settings) {
        var profile =
                TableProfile.newBuilder()
                        .setPartitioningPolicy(
                                PartitioningPolicy.newBuilder()
                                        .setAutoPartitioning(policy)
                                        .setUniformPartitions(4));
        return definition(create().setProfile(profile).setPartitioningSettings(settings))
                .options()
                .partitioning();
    }

    /// As YDB's profiles have it: without a minimum nothing is merged.
    @Test
    void theProfileSaysWhetherTabletsSplitAndMerge() {
        var nothing = PartitioningSettings.getDefaultInstance();
        assertThat(partitioning(AutoPartitioningPolicy.DISABLED, nothing))
                .isEqualTo(new Partitioning(false, 0, false, 0, 0));
        assertThat(partitioning(AutoPartitioningPolicy.AUTO_SPLIT, nothing))
                .isEqualTo(new Partitioning(true, 2048, false, 0, 0));
        assertThat(partitioning(AutoPartitioningPolicy.AUTO_SPLIT_MERGE, nothing))
                .isEqualTo(new Partitioning(true, 2048, false, 4, 0));
        assertThat(
                        partitioning(
                                AutoPartitioningPolicy.AUTO_PARTITIONING_POLICY_UNSPECIFIED,
                                nothing))
                .isEqualTo(new Partitioning(true, 2048, false, 4, 0));
    }

    @Test
    void partitioningSettingsGoBeforeTheProfile() {
        var bySize = PartitioningSettings.newBuilder();
        bySize.setPartitioningBySize(FeatureFlag.Status.ENABLED);
        assertThat(partitioning(AutoPartitioningPolicy.DISABLED, bySize.build()))
                .isEqualTo(new Partitioning(true, 2048, false, 4, 0));
        var size = PartitioningSettings.newBuilder().setPartitionSizeMb(77).build();
        assertThat(partitioning(AutoPartitioningPolicy.DISABLED, size))
                .isEqualTo(new Partitioning(true, 77, false, 4, 0));
        var byLoad = PartitioningSettings.newBuilder();
        byLoad.setPartitioningByLoad(FeatureFlag.Status.ENABLED);
        assertThat(partitioning(AutoPartitioningPolicy.DISABLED, byLoad.build()))
                .isEqualTo(new Partitioning(false, 0, true, 4, 0));
        var least = PartitioningSettings.newBuilder().setMinPartitionsCount(2).build();
        assertThat(partitioning(AutoPartitioningPolicy.AUTO_SPLIT, least))
                .isEqualTo(new Partitioning(true, 2048, false, 2, 0));
        var off = PartitioningSettings.newBuilder();
        off.setPartitioningBySize(FeatureFlag.Status.DISABLED);
        assertThat(partitioning(AutoPartitioningPolicy.AUTO_SPLIT_MERGE, off.build()))
                .isEqualTo(new Partitioning(false, 0, false, 4, 0));
    }

    @Test
    void anUnknownPolicyIsRefused() {
        var policy = PartitioningPolicy.newBuilder().setAutoPartitioningValue(9);
        var request = create().setProfile(TableProfile.newBuilder().setPartitioningPolicy(policy));
        assertThatThrownBy(() -> definition(request))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("unknown auto partitioning policy 9");
    }

    @Test
    void replicasAreNotPromoted() {
        var policy =
                ReplicationPolicy.newBuilder()
                        .setReplicasCount(1)
                        .setAllowPromotion(FeatureFlag.Status.DISABLED);
        definition(create().setProfile(TableProfile.newBuilder().setReplicationPolicy(policy)));
        policy.setAllowPromotion(FeatureFlag.Status.ENABLED);
        var request = create().setProfile(TableProfile.newBuilder().setReplicationPolicy(policy));
        assertThatThrownBy(() -> definition(request))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("allow_promotion");
    }

    @Test
    void splitPointsAreTuples() {
        var point =
                ProtoValues.toTypedProto(
                        new Type.Tuple(List.of(Primitive.UINT64.optional())),
                        Value.items(List.of(Value.of(7))));
        TableDefinition cut =
                definition(
                        create().setPartitionAtKeys(
                                        ExplicitPartitions.newBuilder().addSplitPoints(point)));
        assertThat(cut.layout())
                .isEqualTo(
                        new Layout.AtKeys(
                                List.of(
                                        List.of(
                                                new TableDefinition.TypedValue(
                                                        Primitive.UINT64.optional(),
                                                        Value.of(7))))));
        assertThat(cut.options().partitioning().minCount()).isEqualTo(2);

        var bare = ProtoValues.toTypedProto(Primitive.UINT64, Value.of(7));
        assertThatThrownBy(
                        () ->
                                definition(
                                        create().setPartitionAtKeys(
                                                        ExplicitPartitions.newBuilder()
                                                                .addSplitPoints(bare))))
                .hasMessageContaining("BAD_REQUEST: A split point must be a tuple");
    }

    @Test
    void whatIsNotThereIsRefusedByName() {
        assertThatThrownBy(() -> definition(create().setStoreType(StoreType.STORE_TYPE_COLUMN)))
                .hasMessageContaining("UNSUPPORTED: Column-oriented table");
    }

    @Test
    void familiesAreThoseOfTheProfileWithThoseOfTheRequestOverThem() {
        var profile = TableProfile.newBuilder();
        profile.getStoragePolicyBuilder()
                .setPresetName("log_lz4")
                .setData(pool("hdd"))
                .setKeepInMemory(FeatureFlag.Status.ENABLED)
                .addColumnFamilies(
                        ColumnFamilyPolicy.newBuilder()
                                .setName("old")
                                .setCompression(ColumnFamilyPolicy.Compression.COMPRESSED));
        var request =
                create().setProfile(profile)
                        .addColumnFamilies(
                                ColumnFamily.newBuilder().setName("old").setData(pool("tape")))
                        .addColumnFamilies(
                                ColumnFamily.newBuilder()
                                        .setName("new")
                                        .setCompression(Compression.COMPRESSION_NONE));
        assertThat(definition(request).families())
                .containsExactly(
                        new io.cleave.schema.ColumnFamily("default", "hdd", "lz4", "in_memory"),
                        new io.cleave.schema.ColumnFamily("old", "tape", "lz4", "regular"),
                        new io.cleave.schema.ColumnFamily("new", "", "off", "regular"));
        assertThatThrownBy(
                        () ->
                                definition(
                                        request.addColumnFamilies(
                                                ColumnFamily.newBuilder().setName("new"))))
                .hasMessageContaining("BAD_REQUEST: Column family 'new' specified more than once");
    }

    @Test
    void anAlteredFamilyKeepsWhatIsNotSaid() {
        var request =
                AlterTableRequest.newBuilder()
                        .addAddColumnFamilies(
                                ColumnFamily.newBuilder().setName("a").setData(pool("hdd")))
                        .addAlterColumnFamilies(
                                ColumnFamily.newBuilder()
                                        .setName("b")
                                        .setCompression(Compression.COMPRESSION_LZ4))
                        .addAlterColumnFamilies(
                                ColumnFamily.newBuilder()
                                        .setName("c")
                                        .setKeepInMemory(FeatureFlag.Status.DISABLED))
                        .build();
        Optional<String> same = Optional.empty();
        assertThat(changes(request))
                .containsExactly(
                        new TableChange.AddFamily(
                                new FamilySettings("a", Optional.of("hdd"), same, same)),
                        new AlterFamily(new FamilySettings("b", same, Optional.of("lz4"), same)),
                        new AlterFamily(
                                new FamilySettings("c", same, same, Optional.of("regular"))));
    }

    @Test
    void theLogLiesWhereItLies() {
        var settings = StorageSettings.newBuilder().setTabletCommitLog0(pool("ssd"));
        assertThat(definition(create().setStorageSettings(settings)).columns()).hasSize(2);
        assertThatThrownBy(
                        () ->
                                definition(
                                        create().setStorageSettings(
                                                        settings.setTabletCommitLog1(pool("rot")))))
                .hasMessageContaining(
                        "UNSUPPORTED: Storage pool tablet_commit_log1 on medium 'rot', instead of"
                                + " 'ssd', is not supported");
        var external =
                StorageSettings.newBuilder().setStoreExternalBlobs(FeatureFlag.Status.ENABLED);
        assertThatThrownBy(
                        () ->
                                changes(
                                        AlterTableRequest.newBuilder()
                                                .setAlterStorageSettings(external)
                                                .build()))
                .hasMessageContaining("UNSUPPORTED: Storing of external blobs");
        var profile = TableProfile.newBuilder();
        profile.getStoragePolicyBuilder().setSyslog(pool("hdd"));
        assertThatThrownBy(() -> definition(create().setProfile(profile)))
                .hasMessageContaining("UNSUPPORTED: Storage pool syslog on medium 'hdd'");
    }

    @Test
    void thereIsOneWayToCompact() {
        assertThat(definition(create().setCompactionPolicy("default")).columns()).hasSize(2);
        assertThat(definition(create().setCompactionPolicy("log_table")).columns()).hasSize(2);
        assertThatThrownBy(() -> definition(create().setCompactionPolicy("nope")))
                .hasMessageContaining("BAD_REQUEST: Unknown compaction policy: nope");
        assertThatCode(
                        () ->
                                changes(
                                        AlterTableRequest.newBuilder()
                                                .setSetCompactionPolicy("small_table")
                                                .build()))
                .doesNotThrowAnyException();
    }

    private static StoragePool pool(String medium) {
        return StoragePool.newBuilder().setMedia(medium).build();
    }

    @Test
    void aSizeNeedsPartitioningBySize() {
        var settings =
                PartitioningSettings.newBuilder()
                        .setPartitioningBySize(FeatureFlag.Status.DISABLED)
                        .setPartitionSizeMb(10);
        assertThatThrownBy(() -> definition(create().setPartitioningSettings(settings)))
                .hasMessageContaining(
                        "Auto partitioning partition size is set while auto partitioning by size"
                                + " is disabled");
    }

    @Test
    void settingsAreChangedTogether() {
        var request =
                AlterTableRequest.newBuilder()
                        .addAddColumns(column("extra", Primitive.INT32.optional()))
                        .addDropColumns("name")
                        .setSetKeyBloomFilter(FeatureFlag.Status.ENABLED)
                        .setAlterPartitioningSettings(
                                PartitioningSettings.newBuilder().setMaxPartitionsCount(9))
                        .build();
        assertThat(changes(request))
                .containsExactly(
                        new TableChange.AddColumn(
                                new TableDefinition.NewColumn(
                                        "extra",
                                        Primitive.INT32,
                                        false,
                                        Column.DEFAULT_FAMILY,
                                        Optional.empty())),
                        new TableChange.DropColumn("name"),
                        new TableChange.SetPartitioning(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(9L)),
                        new TableChange.SetKeyBloomFilter(true));
    }

    @Test
    void attributesAreChangedAlone() {
        var request = AlterTableRequest.newBuilder().putAlterAttributes("a", "b");
        assertThat(changes(request.build())).hasSize(1);
        assertThatThrownBy(() -> changes(request.addDropColumns("name").build()))
                .hasMessageContaining("UNSUPPORTED: Mixed alter is unsupported");
    }

    @Test
    void anAlterSaysSomething() {
        assertThatThrownBy(() -> changes(AlterTableRequest.getDefaultInstance()))
                .hasMessageContaining("BAD_REQUEST: Empty alter");
        assertThatThrownBy(
                        () ->
                                changes(
                                        AlterTableRequest.newBuilder()
                                                .setSetReadReplicasSettings(
                                                        ReadReplicasSettings.getDefaultInstance())
                                                .build()))
                .hasMessageContaining("Unknown read_replicas_settings type");
    }

    private static List<TableChange> changes(AlterTableRequest request) {
        return TableChanges.of(request, Optional::empty);
    }
}
