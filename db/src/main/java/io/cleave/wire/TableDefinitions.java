package io.cleave.wire;

import io.cleave.schema.Index;
import io.cleave.schema.Partitioning;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.value.Type;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.ExplicitPartitions;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.ReadReplicasSettings;
import tech.ydb.proto.table.YdbTable.ReplicationPolicy;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.table.YdbTable.TableProfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// CreateTable from the wire. What cannot be had is refused by name, never left out in silence.
final class TableDefinitions {
    private TableDefinitions() {}

    static TableDefinition of(CreateTableRequest request, String path) {
        refuseWhatIsMissing(request);
        Layout layout = layout(request);
        TableOptions options =
                new TableOptions(
                        partitioning(request.getPartitioningSettings(), layout),
                        TableParts.flag(request.getKeyBloomFilter(), "key bloom filter"),
                        replicas(request),
                        request.hasTtlSettings()
                                ? Optional.of(TableParts.ttl(request.getTtlSettings()))
                                : Optional.empty());
        return new TableDefinition(
                path,
                request.getColumnsList().stream().map(TableParts::column).toList(),
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
            throw Requests.unsupported("Column-oriented table");
        }
        if (!request.getTiering().isEmpty()) {
            throw Requests.unsupported("Tiering");
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

    /// The profile's older way to say it counts when the newer one says nothing.
    private static Optional<ReadReplicas> replicas(CreateTableRequest request) {
        if (request.hasReadReplicasSettings()) {
            return Optional.of(TableParts.replicas(request.getReadReplicasSettings()));
        }
        ReplicationPolicy policy = request.getProfile().getReplicationPolicy();
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

    /// The profile's older way to say it counts when the newer one says nothing.
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

    private static Partitioning partitioning(PartitioningSettings sent, Layout layout) {
        TableParts.check(sent);
        Partitioning preset = Partitioning.DEFAULT;
        boolean bySize =
                TableParts.flag(sent.getPartitioningBySize(), "auto partitioning by size")
                        .orElse(preset.bySize());
        return new Partitioning(
                bySize,
                TableParts.count(sent.getPartitionSizeMb(), "Partition size")
                        .orElse(bySize ? preset.sizeMegabytes() : Partitioning.NO_SIZE),
                TableParts.flag(sent.getPartitioningByLoad(), "auto partitioning by load")
                        .orElse(preset.byLoad()),
                TableParts.count(sent.getMinPartitionsCount(), "Min partitions count")
                        .orElse(layout.tabletCount()),
                TableParts.count(sent.getMaxPartitionsCount(), "Max partitions count")
                        .orElse(preset.maxCount()));
    }
}
