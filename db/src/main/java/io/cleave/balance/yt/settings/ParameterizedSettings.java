package io.cleave.balance.yt.settings;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// How a group balances by a metric. What is unset is decided by the settings of the cluster.
///
/// @param metric the expression of the metric; empty if it is unset
/// @param factors uniform if `perTableUniform` is true and no factors are given
public record ParameterizedSettings(
        Optional<Boolean> enableReshard,
        Optional<Boolean> perTableUniform,
        String metric,
        OptionalInt maxActionCount,
        int boundedPriorityQueueSize,
        OptionalDouble nodeDeviationThreshold,
        OptionalDouble cellDeviationThreshold,
        OptionalDouble minRelativeMetricImprovement,
        List<String> replicaClusters,
        FactorSettings factors) {
    public static final ParameterizedSettings DEFAULT =
            new ParameterizedSettings(
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    OptionalInt.empty(),
                    10_000,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    List.of(),
                    FactorSettings.UNSET);

    public ParameterizedSettings {
        replicaClusters = List.copyOf(replicaClusters);
    }
}
