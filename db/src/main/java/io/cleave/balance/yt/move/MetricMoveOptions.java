package io.cleave.balance.yt.move;

import io.cleave.balance.yt.settings.FactorSettings;
import io.cleave.balance.yt.settings.ParameterizedSettings;

import java.util.OptionalDouble;

/// What moves by a metric go by.
///
/// @param maxMoves how many moves a round may have
/// @param nodeDeviationThreshold a round moves something only if a node has this share more than
///   another, or a cell has `cellDeviationThreshold` more than another
/// @param minRelativeMetricImprovement the round ends with the first move that gains no more than
///   this share of the mean of a node
/// @param settledDeviation ours: the round ends when no cell and no node has this share more than
///   the mean. 0 is YTsaurus' rule: it goes on while anything can be gained
/// @param safeUsedTabletStaticRatio how much of a node's memory in-memory tablets may use
public record MetricMoveOptions(
        int maxMoves,
        double nodeDeviationThreshold,
        double cellDeviationThreshold,
        double minRelativeMetricImprovement,
        double cellFactor,
        double nodeFactor,
        double tableCellFactor,
        double tableNodeFactor,
        double settledDeviation,
        double safeUsedTabletStaticRatio) {
    /// What a round may have at most, whatever a group asks for.
    public static final int HARD_LIMIT = 2000;

    public static final MetricMoveOptions DEFAULT =
            new MetricMoveOptions(50, 0.1, 0.1, 0, 1, 1, 0, 0, 0.02, 1);

    /// A greater factor is as good as this one. The square of a very great one would have no value.
    private static final double MOST_FACTOR = 1e20;

    /// These options, with those that a group sets.
    public MetricMoveOptions of(ParameterizedSettings group, double safeRatioOfBundle) {
        FactorSettings factors = group.factors();
        return new MetricMoveOptions(
                Math.min(group.maxActionCount().orElse(maxMoves), HARD_LIMIT),
                group.nodeDeviationThreshold().orElse(nodeDeviationThreshold),
                group.cellDeviationThreshold().orElse(cellDeviationThreshold),
                group.minRelativeMetricImprovement().orElse(minRelativeMetricImprovement),
                factor(factors.cellFactor(), cellFactor),
                factor(factors.nodeFactor(), nodeFactor),
                factor(factors.tableCellFactor(), tableCellFactor),
                factor(factors.tableNodeFactor(), tableNodeFactor),
                settledDeviation,
                safeRatioOfBundle);
    }

    private static double factor(OptionalDouble given, double byDefault) {
        return Math.min(given.orElse(byDefault), MOST_FACTOR);
    }

    boolean hasTableFactors() {
        return tableCellFactor > 0 || tableNodeFactor > 0;
    }
}
