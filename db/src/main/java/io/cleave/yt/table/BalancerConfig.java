package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The attribute `tablet_balancer_config`, and the attributes that older clients use for its
/// members. The config is stored and shown, but the balancer has rules of its own. Pure.
final class BalancerConfig {
    /// Members of the config that are also attributes of the table.
    static final List<String> OLD_NAMES =
            List.of(
                    "min_tablet_size",
                    "desired_tablet_size",
                    "max_tablet_size",
                    "desired_tablet_count");

    private BalancerConfig() {}

    /// The config that a client has set.
    static Optional<YsonNode> of(Table table) {
        return YtSettings.of(table).set(YtSetting.TABLET_BALANCER_CONFIG);
    }

    /// The config, with defaults for the switches that were not set.
    static YsonNode shown(Table table) {
        var node =
                YsonNode.map()
                        .with("enable_auto_tablet_move", true)
                        .with("enable_auto_reshard", true)
                        .with("enable_verbose_logging", false);
        of(table).ifPresent(given -> node.withAll((YsonNode.Members) given.bare()));
        return node.build();
    }

    /// The config with another value of a member, or without it.
    static YsonNode with(Table table, String member, Optional<YsonNode> value) {
        SequencedMap<Bytes, YsonNode> members = new LinkedHashMap<>();
        of(table).ifPresent(given -> members.putAll(((YsonNode.Members) given.bare()).members()));
        Bytes name = Bytes.utf8(member);
        value.ifPresentOrElse(node -> members.put(name, node.bare()), () -> members.remove(name));
        return new YsonNode.Members(members);
    }

    /// Throws unless minimum, desired and maximum are in ascending order, for sizes and counts.
    static void check(YsonNode config) {
        checkOrder(config, "min_tablet_size", "desired_tablet_size");
        checkOrder(config, "desired_tablet_size", "max_tablet_size");
        checkOrder(config, "min_tablet_size", "max_tablet_size");
        checkOrder(config, "min_tablet_count", "desired_tablet_count");
    }

    private static void checkOrder(YsonNode config, String less, String more) {
        Optional<Long> low = number(config, less);
        Optional<Long> high = number(config, more);
        if (low.isPresent() && high.isPresent() && low.get() > high.get()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "\"%s\" must be less than or equal to \"%s\"".formatted(less, more));
        }
    }

    private static Optional<Long> number(YsonNode config, String name) {
        return config.member(name)
                .map(
                        value ->
                                switch (value.bare()) {
                                    case YsonNode.Int64(long number) when number > 0 -> number;
                                    case YsonNode.Uint64(long number) when number > 0 -> number;
                                    case YsonNode.Int64(long number) when number == 0 -> number;
                                    default ->
                                            throw new YtException(
                                                    YtCodes.GENERIC,
                                                    "\"%s\" must be a positive number"
                                                            .formatted(name));
                                });
    }
}
