package io.cleave.wire;

import tech.ydb.proto.table.YdbTable.CompactionPolicyDescription;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsResult;
import tech.ydb.proto.table.YdbTable.PartitioningPolicyDescription;
import tech.ydb.proto.table.YdbTable.StoragePolicyDescription;
import tech.ydb.proto.table.YdbTable.TableProfileDescription;

import java.util.Set;

/// The named settings that a CreateTable call may ask for.
final class TablePresets {
    static final String DEFAULT = "default";

    /// The default family is compressed with LZ4.
    static final String LOG_LZ4 = "log_lz4";

    private static final Set<String> PROFILES = Set.of(DEFAULT, LOG_LZ4);
    private static final Set<String> COMPACTIONS = Set.of(DEFAULT, "small_table", "log_table");
    private static final Set<String> ONLY_DEFAULT = Set.of(DEFAULT);

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

    static DescribeTableOptionsResult describe() {
        return DescribeTableOptionsResult.newBuilder()
                .addTableProfilePresets(profile(DEFAULT))
                .addTableProfilePresets(profile(LOG_LZ4))
                .addStoragePolicyPresets(StoragePolicyDescription.newBuilder().setName(DEFAULT))
                .addStoragePolicyPresets(StoragePolicyDescription.newBuilder().setName(LOG_LZ4))
                .addAllCompactionPolicyPresets(
                        COMPACTIONS.stream()
                                .sorted()
                                .map(n -> CompactionPolicyDescription.newBuilder().setName(n))
                                .map(CompactionPolicyDescription.Builder::build)
                                .toList())
                .addPartitioningPolicyPresets(
                        PartitioningPolicyDescription.newBuilder().setName(DEFAULT))
                .build();
    }

    private static TableProfileDescription profile(String name) {
        return TableProfileDescription.newBuilder()
                .setName(name)
                .setDefaultStoragePolicy(name)
                .addAllowedStoragePolicies(DEFAULT)
                .addAllowedStoragePolicies(LOG_LZ4)
                .setDefaultCompactionPolicy(DEFAULT)
                .addAllAllowedCompactionPolicies(COMPACTIONS.stream().sorted().toList())
                .setDefaultPartitioningPolicy(DEFAULT)
                .addAllowedPartitioningPolicies(DEFAULT)
                .build();
    }
}
