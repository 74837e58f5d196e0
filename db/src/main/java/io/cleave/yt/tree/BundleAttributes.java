package io.cleave.yt.tree;

import io.cleave.balance.yt.settings.BundleConfig;
import io.cleave.balance.yt.settings.OptionReader;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtException;

import java.util.List;

/// The attributes of a bundle that clients set. What a client has set is stored as it is; what is
/// shown has the defaults, too. Options that are not known are kept.
///
/// Only the settings of the balancer have an effect. The others describe how YTsaurus keeps the
/// logs of cells, and on which nodes. Pure.
final class BundleAttributes {
    static final String BALANCER_CONFIG = "tablet_balancer_config";
    private static final String CELL_BALANCER_CONFIG = "cell_balancer_config";
    private static final String OPTIONS = "options";
    private static final String DYNAMIC_OPTIONS = "dynamic_options";
    private static final String NODE_TAG_FILTER = "node_tag_filter";
    private static final String RESOURCE_LIMITS = "resource_limits";

    static final List<String> NAMES =
            List.of(
                    BALANCER_CONFIG,
                    CELL_BALANCER_CONFIG,
                    OPTIONS,
                    DYNAMIC_OPTIONS,
                    NODE_TAG_FILTER,
                    RESOURCE_LIMITS);

    private static final int MAX_PEERS = 10;
    private static final int MAX_REPLICATION_FACTOR = 20;
    private static final int MAX_POOL_WEIGHT = 1000;

    private BundleAttributes() {}

    /// Throws unless a client may set this.
    static void check(String name, YsonNode given) {
        if (name.equals(BALANCER_CONFIG)) {
            BundleConfig.check(given);
        } else {
            var _ = withDefaults(name, given, YsonNode.Members.EMPTY);
        }
    }

    /// What a client sees of a stored attribute.
    ///
    /// @param limits the resources of the process
    static YsonNode shown(String name, YsonNode stored, YsonNode limits) {
        if (name.equals(BALANCER_CONFIG)) {
            return BundleConfig.shown(stored);
        }
        try {
            return withDefaults(name, stored, limits);
        } catch (YtException _) {
            // Stored before this check existed. The client that sees it can correct it.
            return stored;
        }
    }

    /// The value of an attribute that nobody has set.
    static YsonNode byDefault(String name, YsonNode limits) {
        YsonNode none = name.equals(NODE_TAG_FILTER) ? YsonNode.text("") : YsonNode.Members.EMPTY;
        return shown(name, none, limits);
    }

    private static YsonNode withDefaults(String name, YsonNode given, YsonNode limits) {
        return switch (name) {
            case OPTIONS -> options(OptionReader.root(given));
            case DYNAMIC_OPTIONS -> dynamicOptions(OptionReader.root(given));
            case CELL_BALANCER_CONFIG -> cellBalancer(OptionReader.root(given));
            case RESOURCE_LIMITS -> resourceLimits(OptionReader.root(given), limits);
            case NODE_TAG_FILTER -> {
                if (!(given.bare() instanceof YsonNode.Text)) {
                    throw TreeErrors.generic(
                            "Cannot parse \"string\" value from \"%s\""
                                    .formatted(CommandParameters.typeName(given)));
                }
                yield given.bare();
            }
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static YsonNode options(OptionReader given) {
        int factor = factor(given, "changelog_replication_factor", 3);
        int readQuorum = factor(given, "changelog_read_quorum", 2);
        int writeQuorum = factor(given, "changelog_write_quorum", 2);
        checkQuorums(given, factor, readQuorum, writeQuorum);
        return YsonNode.map()
                .with("peer_count", given.between("peer_count", 1, MAX_PEERS, 1))
                .with("independent_peers", given.flag("independent_peers", false))
                .with("changelog_replication_factor", factor)
                .with("changelog_read_quorum", readQuorum)
                .with("changelog_write_quorum", writeQuorum)
                .with("changelog_erasure_codec", given.text("changelog_erasure_codec", "none"))
                .with("changelog_account", given.name("changelog_account", "sys"))
                .with("changelog_primary_medium", given.text("changelog_primary_medium", "default"))
                .with(
                        "snapshot_replication_factor",
                        factor(given, "snapshot_replication_factor", 3))
                .with("snapshot_compression_codec", given.text("snapshot_compression_codec", "lz4"))
                .with("snapshot_erasure_codec", given.text("snapshot_erasure_codec", "none"))
                .with("snapshot_account", given.name("snapshot_account", "sys"))
                .with("snapshot_primary_medium", given.text("snapshot_primary_medium", "default"))
                .withAll(given.others())
                .build();
    }

    private static int factor(OptionReader given, String name, int byDefault) {
        return given.between(name, 1, MAX_REPLICATION_FACTOR, byDefault);
    }

    private static void checkQuorums(
            OptionReader given, int factor, int readQuorum, int writeQuorum) {
        if (readQuorum > factor) {
            throw given.inconsistent(
                    "\"read_quorum\" cannot be greater than \"replication_factor\"");
        }
        if (writeQuorum > factor) {
            throw given.inconsistent(
                    "\"write_quorum\" cannot be greater than \"replication_factor\"");
        }
        if (readQuorum + writeQuorum <= factor) {
            throw given.inconsistent(
                    "Read/write quorums are not safe: read_quorum + write_quorum <="
                            + " replication_factor");
        }
    }

    private static YsonNode dynamicOptions(OptionReader given) {
        double ratio = given.real("forced_rotation_memory_ratio", 0.8);
        if (ratio < 0 || ratio > 1) {
            throw given.invalid(
                    "forced_rotation_memory_ratio", "Expected in range [0,1], found " + ratio);
        }
        return YsonNode.map()
                .with("forced_rotation_memory_ratio", YsonNode.real(ratio))
                .with(
                        "dynamic_memory_pool_weight",
                        given.between("dynamic_memory_pool_weight", 1, MAX_POOL_WEIGHT, 1))
                .with(
                        "enable_tablet_dynamic_memory_limit",
                        given.flag("enable_tablet_dynamic_memory_limit", true))
                .withAll(given.others())
                .build();
    }

    private static YsonNode cellBalancer(OptionReader given) {
        return YsonNode.map()
                .with(
                        "enable_tablet_cell_smoothing",
                        given.flag("enable_tablet_cell_smoothing", true))
                .with("enable_verbose_logging", given.flag("enable_verbose_logging", false))
                .withAll(given.others())
                .build();
    }

    private static YsonNode resourceLimits(OptionReader given, YsonNode limits) {
        var shown = YsonNode.map();
        OptionReader ofProcess = OptionReader.root(limits);
        for (String name : CellObjects.RESOURCES) {
            shown.with(name, given.size(name, ofProcess.size(name, 0)));
        }
        return shown.withAll(given.others()).build();
    }
}
