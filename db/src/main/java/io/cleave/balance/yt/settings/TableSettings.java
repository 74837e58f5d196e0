package io.cleave.balance.yt.settings;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;

/// The settings of a table. Sizes are in bytes.
///
/// @param enableParameterized if unset, the bundle's `enableParameterizedByDefault` applies
/// @param group the group that the table names; empty if the other settings choose it
/// @param replicaPathOverrides by cluster: the paths of the tables whose load is added
public record TableSettings(
        boolean enableAutoReshard,
        boolean enableAutoTabletMove,
        OptionalLong minTabletSize,
        OptionalLong desiredTabletSize,
        OptionalLong maxTabletSize,
        OptionalInt desiredTabletCount,
        OptionalInt minTabletCount,
        boolean enableVerboseLogging,
        Optional<Boolean> enableParameterized,
        Optional<String> group,
        OptionalDouble desiredTabletMetric,
        SequencedMap<String, List<String>> replicaPathOverrides,
        Optional<Boolean> enableSmoothMovement) {
    public static final TableSettings DEFAULT =
            new TableSettings(
                    true,
                    true,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalDouble.empty(),
                    new LinkedHashMap<>(),
                    Optional.empty());

    public TableSettings {
        var copy = new LinkedHashMap<String, List<String>>();
        replicaPathOverrides.forEach((cluster, paths) -> copy.put(cluster, List.copyOf(paths)));
        replicaPathOverrides = Collections.unmodifiableSequencedMap(copy);
    }
}
