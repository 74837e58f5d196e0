package io.cleave.wire.scheme;

import com.google.protobuf.Timestamp;

import io.cleave.base.Bytes;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Preset;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.tree.Scheme;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.ProtoValues;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.table.YdbTable.TtlSettings;
import tech.ydb.proto.table.YdbTable.ValueSinceUnixEpochModeSettings.Unit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Writes the results of DescribeTable.
public final class TableDescriptions {
    /// Prefix of the attribute that describes a generated column. Users cannot set attributes with
    /// this prefix.
    private static final String GENERATED_PREFIX = "__generated_";

    /// The attribute with the balancer that was set.
    private static final String BALANCER = "__balancer";

    private TableDescriptions() {}

    public static DescribeTableResult.Builder of(Table table, Entry self) {
        var result =
                DescribeTableResult.newBuilder()
                        .setSelf(self)
                        .setStoreType(StoreType.STORE_TYPE_ROW)
                        .putAllAttributes(attributes(table))
                        .setPartitioningSettings(partitioning(table.options().partitioning()));
        table.columns().forEach(column -> result.addColumns(column(column)));
        table.key().forEach(column -> result.addPrimaryKey(column.name()));
        table.families().forEach(family -> result.addColumnFamilies(family(family)));
        result.getStorageSettingsBuilder().setStoreExternalBlobs(FeatureFlag.Status.DISABLED);
        table.options().keyBloomFilter().ifPresent(on -> result.setKeyBloomFilter(flag(on)));
        table.options()
                .readReplicas()
                .ifPresent(replicas -> result.setReadReplicasSettings(replicas(replicas)));
        table.options().ttl().ifPresent(ttl -> result.setTtlSettings(ttl(ttl)));
        return result;
    }

    /// Adds the next number of each sequence.
    public static void addPositions(
            DescribeTableResult.Builder result, Table table, Scheme scheme) {
        for (int index = 0; index < table.columns().size(); index++) {
            Column column = table.columns().get(index);
            if (column.sequence().isPresent()) {
                OptionalLong upcoming = scheme.upcomingNumber(column);
                // An exhausted sequence is at its last number, which is used.
                result.getColumnsBuilder(index)
                        .getFromSequenceBuilder()
                        .getSetValBuilder()
                        .setNextValue(upcoming.orElse(column.sequence().get().max()))
                        .setNextUsed(upcoming.isEmpty());
            }
        }
    }

    /// Adds key bounds and statistics, if the request asks for them.
    public static void addTablets(
            DescribeTableResult.Builder result,
            Table table,
            List<TabletInfo> tablets,
            DescribeTableRequest request,
            int nodeId) {
        if (request.getIncludeShardKeyBounds()) {
            tablets.stream()
                    .skip(1)
                    .map(tablet -> bound(table, tablet.range().from()))
                    .forEach(result::addShardKeyBounds);
        }
        if (!request.getIncludeTableStats()) {
            return;
        }
        var stats =
                result.getTableStatsBuilder()
                        .setRowsEstimate(tablets.stream().mapToLong(TabletInfo::rows).sum())
                        .setStoreSize(tablets.stream().mapToLong(TabletInfo::bytes).sum())
                        .setPartitions(tablets.size())
                        .setCreationTime(timestamp(table.createdMicros()));
        tablets.stream()
                .mapToLong(tablet -> tablet.traffic().lastUpdateMicros())
                // 0 means that the tablet has had no write since the process started.
                .filter(micros -> micros > 0)
                .max()
                .ifPresent(micros -> stats.setModificationTime(timestamp(micros)));
        if (request.getIncludePartitionStats()) {
            for (TabletInfo tablet : tablets) {
                stats.addPartitionStatsBuilder()
                        .setRowsEstimate(tablet.rows())
                        .setStoreSize(tablet.bytes())
                        .setLeaderNodeId(nodeId);
            }
        }
    }

    /// A tuple of the key columns that the bound has; the remaining columns would be NULL.
    private static ValueProtos.TypedValue bound(Table table, Bytes key) {
        List<Type> types = table.key().stream().map(Column::type).toList();
        Value[] values = KeyCodec.decode(types, key);
        List<Type> optional = types.stream().limit(values.length).map(Type::optional).toList();
        return ProtoValues.toTypedProto(
                new Type.Tuple(optional), Value.items(Arrays.asList(values)));
    }

    /// The users' attributes, one attribute for each generated column that says how it is computed,
    /// and one for the balancer if it was set.
    private static Map<String, String> attributes(Table table) {
        Map<String, String> all = new HashMap<>(table.attributes());
        table.options().balancer().ifPresent(set -> all.put(BALANCER, set.text()));
        for (Column column : table.columns()) {
            if (column.preset().orElse(null) instanceof Preset.Generated(String expression, _)) {
                all.put(GENERATED_PREFIX + column.name(), expression);
            }
        }
        return all;
    }

    private static ColumnMeta column(Column column) {
        var proto =
                ColumnMeta.newBuilder()
                        .setName(column.name())
                        .setType(ProtoTypes.toProto(column.valueType()))
                        .setNotNull(column.notNull());
        if (!column.family().equals(Column.DEFAULT_FAMILY)) {
            proto.setFamily(column.family());
        }
        column.preset().ifPresent(preset -> setPreset(proto, column, preset));
        return proto.build();
    }

    private static void setPreset(ColumnMeta.Builder proto, Column column, Preset preset) {
        switch (preset) {
            case Preset.Literal(Value value) ->
                    proto.setFromLiteral(ProtoValues.toTypedProto(column.type(), value));
            // The protocol has no field for it; an attribute describes it.
            case Preset.Generated _ -> {}
            case Preset.FromSequence(Sequence sequence) ->
                    proto.getFromSequenceBuilder()
                            .setName(column.sequenceName())
                            .setMinValue(sequence.min())
                            .setMaxValue(sequence.description().max())
                            .setStartValue(sequence.start())
                            .setIncrement(sequence.increment())
                            .setCache(sequence.description().cache())
                            .setCycle(sequence.description().cycles());
        }
    }

    private static YdbTable.ColumnFamily family(ColumnFamily family) {
        var proto =
                YdbTable.ColumnFamily.newBuilder()
                        .setName(family.name())
                        .setCompression(
                                family.compression().equals(ColumnFamily.LZ4)
                                        ? YdbTable.ColumnFamily.Compression.COMPRESSION_LZ4
                                        : YdbTable.ColumnFamily.Compression.COMPRESSION_NONE);
        if (!family.data().isEmpty()) {
            proto.getDataBuilder().setMedia(family.data());
        }
        if (!family.cacheMode().equals(ColumnFamily.REGULAR)) {
            proto.setKeepInMemory(FeatureFlag.Status.ENABLED);
        }
        return proto.build();
    }

    private static PartitioningSettings partitioning(Partitioning partitioning) {
        var proto =
                PartitioningSettings.newBuilder()
                        .setPartitioningBySize(flag(partitioning.bySize()))
                        .setPartitioningByLoad(flag(partitioning.byLoad()))
                        .setMinPartitionsCount(partitioning.minCount())
                        .setMaxPartitionsCount(partitioning.maxCount());
        if (partitioning.bySize()) {
            proto.setPartitionSizeMb(partitioning.sizeMegabytes());
        }
        return proto.build();
    }

    private static ReadReplicasSettings replicas(ReadReplicas replicas) {
        return switch (replicas.placement()) {
            case PER_AZ ->
                    ReadReplicasSettings.newBuilder()
                            .setPerAzReadReplicasCount(replicas.count())
                            .build();
            case ANY_AZ ->
                    ReadReplicasSettings.newBuilder()
                            .setAnyAzReadReplicasCount(replicas.count())
                            .build();
        };
    }

    private static TtlSettings ttl(Ttl ttl) {
        var proto = TtlSettings.newBuilder().setRunIntervalSeconds((int) ttl.runIntervalSeconds());
        int expireAfter = (int) ttl.expireAfterSeconds();
        switch (ttl.unit()) {
            case DATE ->
                    proto.getDateTypeColumnBuilder()
                            .setColumnName(ttl.column())
                            .setExpireAfterSeconds(expireAfter);
            case SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS ->
                    proto.getValueSinceUnixEpochBuilder()
                            .setColumnName(ttl.column())
                            .setColumnUnit(Unit.valueOf("UNIT_" + ttl.unit().name()))
                            .setExpireAfterSeconds(expireAfter);
        }
        return proto.build();
    }

    private static FeatureFlag.Status flag(boolean on) {
        return on ? FeatureFlag.Status.ENABLED : FeatureFlag.Status.DISABLED;
    }

    private static Timestamp timestamp(long micros) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(micros, 1_000_000))
                .setNanos(Math.floorMod(micros, 1_000_000) * 1000)
                .build();
    }
}
