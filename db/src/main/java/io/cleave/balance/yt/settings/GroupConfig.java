package io.cleave.balance.yt.settings;

import io.cleave.value.YsonNode;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.Set;

/// Reads the groups of a bundle. Options that nobody here knows are ignored: they stay in the YSON.
final class GroupConfig {
    /// Each group costs work in every round, and takes a place in lists of rounds.
    static final int MAX_GROUPS = 100;

    /// The greatest length of the formulas of all groups together, in characters: a list of rounds
    /// evaluates each of them for every minute of a day.
    static final int MAX_FORMULAS_LENGTH = 100_000;

    private GroupConfig() {}

    /// The groups in the option `groups`.
    static SequencedMap<String, GroupSettings> groups(OptionReader bundle) {
        OptionReader map = bundle.map("groups");
        List<String> names = map.names();
        if (names.size() > MAX_GROUPS) {
            throw bundle.invalid(
                    "groups",
                    "Expected at most %d groups, found %d".formatted(MAX_GROUPS, names.size()));
        }
        var groups = new LinkedHashMap<String, GroupSettings>();
        int formulasLength = 0;
        for (String name : names) {
            GroupSettings group = group(map.map(name), defaultType(name));
            groups.put(name, group);
            formulasLength += group.schedule().text().length();
        }
        if (formulasLength > MAX_FORMULAS_LENGTH) {
            throw bundle.invalid(
                    "groups",
                    "Expected schedules of at most %d characters together, found %d"
                            .formatted(MAX_FORMULAS_LENGTH, formulasLength));
        }
        groups.forEach(
                (name, group) -> {
                    boolean isLegacy = group.type() == GroupSettings.Type.LEGACY;
                    if (isLegacy && !BundleSettings.LEGACY_GROUPS.contains(name)) {
                        throw bundle.inconsistent(
                                "Group \"%s\" is not builtin but has legacy type".formatted(name));
                    }
                });
        return groups;
    }

    /// The names of the options of a group, or of the map at this path in it. Empty if there are no
    /// options.
    static Set<String> names(List<String> path) {
        OptionReader options = OptionReader.root(YsonNode.Members.EMPTY);
        switch (String.join("/", path)) {
            case "" -> {
                var _ = group(options, GroupSettings.Type.PARAMETERIZED);
            }
            case "parameterized" -> {
                var _ = parameterized(options);
            }
            case "parameterized/factors" -> {
                var _ = factors(options);
            }
            default -> {}
        }
        return options.asked();
    }

    /// A built-in group stays what it is when a client sets another of its options. YTsaurus makes
    /// it a group by a metric then: a schedule would end the moves of its tables.
    private static GroupSettings.Type defaultType(String group) {
        return BundleSettings.LEGACY_GROUPS.contains(group)
                ? GroupSettings.Type.LEGACY
                : GroupSettings.DEFAULT.type();
    }

    private static GroupSettings group(OptionReader options, GroupSettings.Type defaultType) {
        GroupSettings byDefault = GroupSettings.DEFAULT;
        return new GroupSettings(
                options.flag("enable_move", byDefault.enableMove()),
                options.flag("enable_reshard", byDefault.enableReshard()),
                options.choice("type", defaultType, "EBalancingType"),
                options.formula("schedule"),
                parameterized(options.map("parameterized")),
                options.flag("enable_smooth_movement"));
    }

    private static ParameterizedSettings parameterized(OptionReader options) {
        Optional<Boolean> perTableUniform = options.flag("per_table_uniform");
        List<String> clusters = options.texts("replica_clusters");
        if (new HashSet<>(clusters).size() < clusters.size()) {
            throw options.inconsistent("\"replica_clusters\" must contain unique cluster names");
        }
        return new ParameterizedSettings(
                options.flag("enable_reshard"),
                perTableUniform,
                options.text("metric", ""),
                options.count("max_action_count", 0),
                options.count(
                        "bounded_priority_queue_size",
                        1,
                        ParameterizedSettings.DEFAULT.boundedPriorityQueueSize()),
                options.realAtLeastZero("node_deviation_threshold"),
                options.realAtLeastZero("cell_deviation_threshold"),
                options.realAtLeastZero("min_relative_metric_improvement"),
                clusters,
                factors(options, perTableUniform.orElse(false)));
    }

    private static FactorSettings factors(OptionReader options, boolean isUniform) {
        if (isUniform && !options.names().contains("factors")) {
            return FactorSettings.UNIFORM;
        }
        return factors(options.map("factors"));
    }

    private static FactorSettings factors(OptionReader factors) {
        OptionalDouble cell = factors.realAtLeastZero("cell_factor");
        OptionalDouble node = factors.realAtLeastZero("node_factor");
        OptionalDouble tableCell = factors.realAtLeastZero("table_cell_factor");
        OptionalDouble tableNode = factors.realAtLeastZero("table_node_factor");
        return new FactorSettings(cell, node, tableCell, tableNode);
    }
}
