package io.cleave.wire.scheme;

import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.TableChange.FamilySettings;
import io.cleave.tree.Scheme;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.YdbTable.ColumnFamilyPolicy;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.StoragePolicy;
import tech.ydb.proto.table.YdbTable.StoragePool;
import tech.ydb.proto.table.YdbTable.StorageSettings;
import tech.ydb.proto.table.YdbTable.TableProfile;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What CreateTable and AlterTable request about where and how rows are stored.
///
/// A table profile is the older way to request it. Settings outside of the profile take precedence.
final class StorageRequests {
    private StorageRequests() {}

    /// Checks pools that do not hold a table's rows, such as the log. They are always on the
    /// default medium.
    static void check(StorageSettings settings) {
        checkPool("tablet_commit_log0", settings.getTabletCommitLog0());
        checkPool("tablet_commit_log1", settings.getTabletCommitLog1());
        checkPool("external", settings.getExternal());
        if (settings.getStoreExternalBlobs() == FeatureFlag.Status.ENABLED) {
            throw RequestParts.unsupported("Storing of external blobs");
        }
    }

    private static void checkPool(String name, StoragePool pool) {
        String medium = pool.getMedia();
        if (!medium.isEmpty() && !medium.equals(Scheme.DEFAULT_MEDIUM)) {
            throw RequestParts.unsupported(
                    "Storage pool %s on medium '%s', instead of '%s',"
                            .formatted(name, medium, Scheme.DEFAULT_MEDIUM));
        }
    }

    /// The column families of a new table. The default family may be missing.
    static List<ColumnFamily> families(CreateTableRequest request) {
        Map<String, ColumnFamily> families = new LinkedHashMap<>();
        TableProfile profile = request.getProfile();
        StoragePolicy policy = profile.getStoragePolicy();
        boolean lz4 =
                profile.getPresetName().equals(TablePresets.LOG_LZ4)
                        || policy.getPresetName().equals(TablePresets.LOG_LZ4);
        put(
                families,
                new FamilySettings(
                        Column.DEFAULT_FAMILY,
                        TableParts.medium(policy.getData()),
                        lz4 ? Optional.of(ColumnFamily.LZ4) : Optional.empty(),
                        TableParts.cacheMode(policy.getKeepInMemory())));
        policy.getColumnFamiliesList().forEach(sent -> put(families, family(sent)));
        Set<String> named = new HashSet<>();
        for (YdbTable.ColumnFamily sent : request.getColumnFamiliesList()) {
            if (!named.add(sent.getName())) {
                throw RequestParts.bad(
                        "Column family '%s' specified more than once".formatted(sent.getName()));
            }
            put(families, TableParts.family(sent));
        }
        return List.copyOf(families.values());
    }

    private static void put(Map<String, ColumnFamily> families, FamilySettings family) {
        families.put(
                family.name(),
                family.over(families.getOrDefault(family.name(), ColumnFamily.DEFAULT)));
    }

    private static FamilySettings family(ColumnFamilyPolicy sent) {
        checkPool("external of column family '" + sent.getName() + "'", sent.getExternal());
        Optional<String> compression =
                switch (sent.getCompression()) {
                    case COMPRESSED -> Optional.of(ColumnFamily.LZ4);
                    case UNCOMPRESSED -> Optional.of(ColumnFamily.UNCOMPRESSED);
                    case COMPRESSION_UNSPECIFIED -> Optional.empty();
                    case UNRECOGNIZED ->
                            throw TableParts.unknownCompression(sent.getCompressionValue());
                };
        return new FamilySettings(
                sent.getName(),
                TableParts.medium(sent.getData()),
                compression,
                TableParts.cacheMode(sent.getKeepInMemory()));
    }

    /// Checks the pools of a profile that do not hold a table's rows.
    static void check(StoragePolicy policy) {
        checkPool("syslog", policy.getSyslog());
        checkPool("log", policy.getLog());
        checkPool("external", policy.getExternal());
    }
}
