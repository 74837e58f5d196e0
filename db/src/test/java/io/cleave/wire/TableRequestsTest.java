package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.schema.Column;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.ExplicitPartitions;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.table.YdbTable.TableIndex;

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
        assertThatThrownBy(
                        () ->
                                definition(
                                        create().addIndexes(
                                                        TableIndex.newBuilder().setName("by_n"))))
                .hasMessageContaining("UNSUPPORTED: Secondary index 'by_n'");
        assertThatThrownBy(() -> definition(create().setStoreType(StoreType.STORE_TYPE_COLUMN)))
                .hasMessageContaining("UNSUPPORTED: Column-oriented table");
        assertThatThrownBy(() -> definition(create().setTemporary(true)))
                .hasMessageContaining("UNSUPPORTED: Temporary table");
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
        assertThat(TableChanges.of(request))
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
        assertThat(TableChanges.of(request.build())).hasSize(1);
        assertThatThrownBy(() -> TableChanges.of(request.addDropColumns("name").build()))
                .hasMessageContaining("UNSUPPORTED: Mixed alter is unsupported");
    }

    @Test
    void anAlterSaysSomething() {
        assertThatThrownBy(() -> TableChanges.of(AlterTableRequest.getDefaultInstance()))
                .hasMessageContaining("BAD_REQUEST: Empty alter");
        assertThatThrownBy(
                        () ->
                                TableChanges.of(
                                        AlterTableRequest.newBuilder()
                                                .setSetReadReplicasSettings(
                                                        ReadReplicasSettings.getDefaultInstance())
                                                .build()))
                .hasMessageContaining("Unknown read_replicas_settings type");
    }
}
