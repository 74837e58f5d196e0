package io.cleave.wire.scheme;

import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.table.YdbTable.CompactionPolicyDescription;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsResult;
import tech.ydb.proto.table.YdbTable.PartitioningPolicyDescription;
import tech.ydb.proto.table.YdbTable.StoragePolicyDescription;
import tech.ydb.proto.table.YdbTable.TableProfileDescription;

import java.util.List;
import java.util.Set;

/// The named presets that a CreateTable request may use.
public final class TablePresets {
    static final String DEFAULT = "default";

    /// Compresses the default family with LZ4.
    static final String LOG_LZ4 = "log_lz4";

    private static final Set<String> PROFILES = Set.of(DEFAULT, LOG_LZ4);
    private static final Set<String> ONLY_DEFAULT = Set.of(DEFAULT);

    /// There is one compaction policy. It also suits the tables for which YDB has other ones.
    private static final Set<String> COMPACTIONS = Set.of(DEFAULT, "small_table", "log_table");

    /// A label of the storage policies, with the media that DATA of a column family may name.
    private static final String MEDIA = "media";

    private TablePresets() {}

    static void checkProfile(String name) {
        check("table profile", PROFILES, name);
    }

    static void checkStorage(String name) {
        check("storage policy", PROFILES, name);
    }

    static void checkCompaction(String name) {
        check("compaction policy", COMPACTIONS, name);
    }

    static void checkOther(String what, String name) {
        check(what, ONLY_DEFAULT, name);
    }

    private static void check(String what, Set<String> known, String name) {
        if (!name.isEmpty() && !known.contains(name)) {
            throw RequestParts.bad("Unknown %s: %s".formatted(what, name));
        }
    }

    public static DescribeTableOptionsResult describe(List<String> media) {
        return DescribeTableOptionsResult.newBuilder()
                .addTableProfilePresets(profile(DEFAULT))
                .addTableProfilePresets(profile(LOG_LZ4))
                .addStoragePolicyPresets(storage(DEFAULT, media))
                .addStoragePolicyPresets(storage(LOG_LZ4, media))
                .addCompactionPolicyPresets(
                        CompactionPolicyDescription.newBuilder().setName(DEFAULT))
                .addPartitioningPolicyPresets(
                        PartitioningPolicyDescription.newBuilder().setName(DEFAULT))
                .build();
    }

    private static StoragePolicyDescription storage(String name, List<String> media) {
        return StoragePolicyDescription.newBuilder()
                .setName(name)
                .putLabels(MEDIA, String.join(",", media))
                .build();
    }

    private static TableProfileDescription profile(String name) {
        return TableProfileDescription.newBuilder()
                .setName(name)
                .setDefaultStoragePolicy(name)
                .addAllowedStoragePolicies(DEFAULT)
                .addAllowedStoragePolicies(LOG_LZ4)
                .setDefaultCompactionPolicy(DEFAULT)
                .addAllowedCompactionPolicies(DEFAULT)
                .setDefaultPartitioningPolicy(DEFAULT)
                .addAllowedPartitioningPolicies(DEFAULT)
                .build();
    }
}
