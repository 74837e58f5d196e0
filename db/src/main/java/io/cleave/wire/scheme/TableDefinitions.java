package io.cleave.wire.scheme;

import io.cleave.schema.Index;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.ExplicitPartitions;
import tech.ydb.proto.table.YdbTable.PartitioningPolicy;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.ReplicationPolicy;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.table.YdbTable.TableProfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads CreateTable requests. What is not supported is refused by name, never ignored.
public final class TableDefinitions {
    private TableDefinitions() {}

    public static TableDefinition of(CreateTableRequest request, String path) {
        refuseWhatIsMissing(request);
        Layout layout = layout(request);
        TableOptions options =
                new TableOptions(
                        partitioning(request, layout),
                        TableParts.flag(request.getKeyBloomFilter(), "key bloom filter"),
                        replicas(request),
                        request.hasTtlSettings()
                                ? Optional.of(TableParts.ttl(request.getTtlSettings()))
                                : Optional.empty());
        List<NewColumn> columns =
                request.getColumnsList().stream().map(TableParts::column).toList();
        // Only after the checks above, whose messages are more specific.
        RequestFields.check(request);
        return new TableDefinition(
                path,
                columns,
                request.getPrimaryKeyList(),
                StorageRequests.families(request),
                options,
                layout,
                request.getAttributesMap(),
                request.getIndexesList().stream()
                        .map(index -> TableIndexes.index(index, Index.State.READY))
                        .toList());
    }

    private static void refuseWhatIsMissing(CreateTableRequest request) {
        if (request.getStoreType() == StoreType.STORE_TYPE_COLUMN) {
            throw RequestParts.unsupported("Column-oriented table");
        }
        if (!request.getTiering().isEmpty()) {
            throw RequestParts.unsupported("Tiering");
        }
        StorageRequests.check(request.getStorageSettings());
        StorageRequests.check(request.getProfile().getStoragePolicy());
        TablePresets.checkCompaction(request.getCompactionPolicy());
        TableProfile profile = request.getProfile();
        TablePresets.checkProfile(profile.getPresetName());
        TablePresets.checkStorage(profile.getStoragePolicy().getPresetName());
        TablePresets.checkCompaction(profile.getCompactionPolicy().getPresetName());
        TablePresets.checkOther(
                "partitioning policy", profile.getPartitioningPolicy().getPresetName());
        TablePresets.checkOther("execution policy", profile.getExecutionPolicy().getPresetName());
        TablePresets.checkOther(
                "replication policy", profile.getReplicationPolicy().getPresetName());
        TablePresets.checkOther("caching policy", profile.getCachingPolicy().getPresetName());
    }

    /// The profile, which is the older way, applies only if the request has no read replica
    /// settings.
    private static Optional<ReadReplicas> replicas(CreateTableRequest request) {
        if (request.hasReadReplicasSettings()) {
            return Optional.of(TableParts.replicas(request.getReadReplicasSettings()));
        }
        ReplicationPolicy policy = request.getProfile().getReplicationPolicy();
        if (TableParts.flag(policy.getAllowPromotion(), "promotion of replicas").orElse(false)) {
            throw RequestParts.unsupported("allow_promotion of read replicas");
        }
        if (policy.getReplicasCount() == 0) {
            return Optional.empty();
        }
        boolean perZone =
                TableParts.flag(policy.getCreatePerAvailabilityZone(), "replicas per zone")
                        .orElse(false);
        var settings = ReadReplicasSettings.newBuilder();
        if (perZone) {
            settings.setPerAzReadReplicasCount(Integer.toUnsignedLong(policy.getReplicasCount()));
        } else {
            settings.setAnyAzReadReplicasCount(Integer.toUnsignedLong(policy.getReplicasCount()));
        }
        return Optional.of(TableParts.replicas(settings.build()));
    }

    /// The profile, which is the older way, applies only if the request itself has no partitions.
    private static Layout layout(CreateTableRequest request) {
        return switch (request.getPartitionsCase()) {
            case UNIFORM_PARTITIONS -> uniform(request.getUniformPartitions());
            case PARTITION_AT_KEYS -> atKeys(request.getPartitionAtKeys());
            case PARTITIONS_NOT_SET -> {
                var policy = request.getProfile().getPartitioningPolicy();
                yield switch (policy.getPartitionsCase()) {
                    case UNIFORM_PARTITIONS -> uniform(policy.getUniformPartitions());
                    case EXPLICIT_PARTITIONS -> atKeys(policy.getExplicitPartitions());
                    case PARTITIONS_NOT_SET -> new Layout.Single();
                };
            }
        };
    }

    private static Layout uniform(long count) {
        if (count <= 0) {
            throw RequestParts.bad(
                    "Invalid partition count specified: " + Long.toUnsignedString(count));
        }
        return new Layout.Uniform(count);
    }

    private static Layout atKeys(ExplicitPartitions sent) {
        List<List<TypedValue>> keys = new ArrayList<>();
        for (ValueProtos.TypedValue point : sent.getSplitPointsList()) {
            TypedValue tuple = RequestParts.typedValue(point, "split point " + keys.size());
            if (!(tuple.type() instanceof Type.Tuple(var types))
                    || !(tuple.value() instanceof Value.Items(var values))) {
                throw RequestParts.bad(
                        "A split point must be a tuple of key columns, got " + tuple.type().text());
            }
            List<TypedValue> key = new ArrayList<>();
            for (int index = 0; index < types.size(); index++) {
                key.add(new TypedValue(types.get(index), values.get(index)));
            }
            keys.add(key);
        }
        return keys.isEmpty() ? new Layout.Single() : new Layout.AtKeys(keys);
    }

    /// Merges the settings as YDB does: the profile first, then the newer settings over it. If the
    /// newer settings enable partitioning, the minimum is the initial number of tablets.
    private static Partitioning partitioning(CreateTableRequest request, Layout layout) {
        PartitioningSettings sent = request.getPartitioningSettings();
        TableParts.check(sent);
        Partitioning preset = ofProfile(request.getProfile().getPartitioningPolicy(), layout);
        Optional<Boolean> bySize =
                TableParts.flag(sent.getPartitioningBySize(), "auto partitioning by size");
        Optional<Boolean> byLoad =
                TableParts.flag(sent.getPartitioningByLoad(), "auto partitioning by load");
        Optional<Long> size = TableParts.count(sent.getPartitionSizeMb(), "Partition size");
        boolean isBySize = bySize.orElse(preset.bySize() || size.isPresent());
        boolean enables = bySize.orElse(size.isPresent()) || byLoad.orElse(false);
        return new Partitioning(
                isBySize,
                isBySize ? size.orElse(Partitioning.DEFAULT.sizeMegabytes()) : Partitioning.NO_SIZE,
                byLoad.orElse(preset.byLoad()),
                TableParts.count(sent.getMinPartitionsCount(), "Min partitions count")
                        .orElse(enables ? layout.tabletCount() : preset.minCount()),
                TableParts.count(sent.getMaxPartitionsCount(), "Max partitions count")
                        .orElse(preset.maxCount()));
    }

    private static Partitioning ofProfile(PartitioningPolicy policy, Layout layout) {
        long count = layout.tabletCount();
        return switch (policy.getAutoPartitioning()) {
            case AUTO_PARTITIONING_POLICY_UNSPECIFIED, AUTO_SPLIT_MERGE -> splitting(true, count);
            case AUTO_SPLIT -> splitting(true, Partitioning.NO_MERGES);
            case DISABLED -> splitting(false, Partitioning.NO_MERGES);
            case UNRECOGNIZED ->
                    throw RequestParts.bad(
                            "unknown auto partitioning policy "
                                    + policy.getAutoPartitioningValue());
        };
    }

    private static Partitioning splitting(boolean bySize, long minCount) {
        return new Partitioning(
                bySize,
                bySize ? Partitioning.DEFAULT.sizeMegabytes() : Partitioning.NO_SIZE,
                Partitioning.DEFAULT.byLoad(),
                minCount,
                Partitioning.DEFAULT.maxCount());
    }
}
