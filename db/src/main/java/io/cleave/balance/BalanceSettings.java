package io.cleave.balance;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.Locale;

/// The thresholds and windows that are the same for all tables of a node. The settings of one table
/// are in [io.cleave.schema.Partitioning].
///
/// Settings that could split and merge the same tablets for ever are refused: merged tablets must
/// stay well below the split thresholds.
///
/// @param enabled whether decisions are carried out; they are made and shown in any case
/// @param forceSplitBytes a tablet of this size is split regardless of its table's settings
/// @param splitCores CPU time, in cores, from which a tablet is split by load
/// @param mergeShare of `splitCores`: the limit of the total load of merged tablets
/// @param splitQueue average number of commits waiting for a tablet from which it is saturated
/// @param splitRejects commits refused per second from which a tablet is saturated
/// @param loadWindow the time over which load is measured
/// @param mergeWindow the time over which the peak load is taken before a merge
/// @param mergeAge the minimum age of a tablet that is merged
/// @param tailHorizon how far ahead of growing keys a tablet is split
/// @param cellCores CPU time of a cell, in cores, from which its tablets are moved to other cells
/// @param cellBytes size of a cell from which its tablets are moved to other cells
/// @param maxWays the maximum number of tablets that one split makes or one merge joins
/// @param keepDecisions how long decisions are kept
public record BalanceSettings(
        boolean enabled,
        long forceSplitBytes,
        double splitCores,
        double mergeShare,
        double splitQueue,
        double splitRejects,
        Duration loadWindow,
        Duration mergeWindow,
        Duration mergeAge,
        Duration tailHorizon,
        double cellCores,
        long cellBytes,
        int maxWays,
        Duration keepDecisions) {
    /// The upper limit of `keepDecisions`.
    private static final Duration MOST_KEPT = Duration.ofDays(3650);

    public static final BalanceSettings DEFAULT =
            new BalanceSettings(
                    true,
                    2L << 30,
                    0.5,
                    0.7,
                    4,
                    1,
                    Duration.ofSeconds(10),
                    Duration.ofHours(1),
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(2),
                    1,
                    10L << 30,
                    16,
                    Duration.ofDays(7));

    /// The upper limit of `mergeShare`.
    private static final double MOST_MERGE_SHARE = 0.9;

    public BalanceSettings {
        if (forceSplitBytes < 1 << 10) {
            throw refused("the size of a forced split must be at least 1 KB");
        }
        if (!(splitCores > 0) || !(splitQueue > 0) || !(splitRejects > 0)) {
            throw refused("the load thresholds of splits must be greater than 0");
        }
        if (!(mergeShare > 0) || mergeShare > MOST_MERGE_SHARE) {
            throw refused(
                    String.format(
                            Locale.ROOT,
                            "the load of merged tablets must be greater than 0 and at most %.1f of"
                                    + " the load threshold of splits, not %.2f; otherwise tablets"
                                    + " could split and merge for ever",
                            MOST_MERGE_SHARE,
                            mergeShare));
        }
        if (mergeWindow.compareTo(loadWindow) < 0) {
            throw refused(
                    ("the merge window (%d ms) must be at least as long as the load window (%d ms);"
                                    + " otherwise tablets could split and merge for ever")
                            .formatted(mergeWindow.toMillis(), loadWindow.toMillis()));
        }
        if (loadWindow.isNegative() || loadWindow.isZero() || mergeAge.isNegative()) {
            throw refused(
                    "the load window must be greater than 0, and the merge age must not be"
                            + " negative");
        }
        if (mergeAge.compareTo(loadWindow) < 0) {
            throw refused(
                    ("the merge age (%d ms) must be at least as long as the load window (%d ms);"
                                    + " otherwise tablets could split and merge for ever")
                            .formatted(mergeAge.toMillis(), loadWindow.toMillis()));
        }
        if (!(cellCores > 0) || cellBytes < 1) {
            throw refused(
                    "the load and the size from which a cell gives tablets away must be greater"
                            + " than 0");
        }
        if (maxWays < 2) {
            throw refused("the maximum number of tablets of a split must be at least 2");
        }
        if (!keepDecisions.isPositive() || keepDecisions.compareTo(MOST_KEPT) > 0) {
            throw refused(
                    "decisions must be kept for more than 0 and at most %d days"
                            .formatted(MOST_KEPT.toDays()));
        }
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }

    /// The limit of the total load of merged tablets, in cores.
    public double mergeCores() {
        return splitCores * mergeShare;
    }

    /// These settings with other times, for tests and for short benchmarks.
    public BalanceSettings withTimes(Duration load, Duration peak, Duration age, Duration horizon) {
        return new BalanceSettings(
                enabled,
                forceSplitBytes,
                splitCores,
                mergeShare,
                splitQueue,
                splitRejects,
                load,
                peak,
                age,
                horizon,
                cellCores,
                cellBytes,
                maxWays,
                keepDecisions);
    }

    /// These settings with another `forceSplitBytes`.
    public BalanceSettings withForceSplitBytes(long bytes) {
        return new BalanceSettings(
                enabled,
                bytes,
                splitCores,
                mergeShare,
                splitQueue,
                splitRejects,
                loadWindow,
                mergeWindow,
                mergeAge,
                tailHorizon,
                cellCores,
                cellBytes,
                maxWays,
                keepDecisions);
    }

    /// These settings with another `splitCores`.
    public BalanceSettings withSplitCores(double cores) {
        return new BalanceSettings(
                enabled,
                forceSplitBytes,
                cores,
                mergeShare,
                splitQueue,
                splitRejects,
                loadWindow,
                mergeWindow,
                mergeAge,
                tailHorizon,
                cellCores,
                cellBytes,
                maxWays,
                keepDecisions);
    }

    /// These settings with other thresholds of moves.
    public BalanceSettings withCells(double cores, long bytes) {
        return new BalanceSettings(
                enabled,
                forceSplitBytes,
                splitCores,
                mergeShare,
                splitQueue,
                splitRejects,
                loadWindow,
                mergeWindow,
                mergeAge,
                tailHorizon,
                cores,
                bytes,
                maxWays,
                keepDecisions);
    }

    /// These settings with another `mergeShare`.
    public BalanceSettings withMergeShare(double share) {
        return new BalanceSettings(
                enabled,
                forceSplitBytes,
                splitCores,
                share,
                splitQueue,
                splitRejects,
                loadWindow,
                mergeWindow,
                mergeAge,
                tailHorizon,
                cellCores,
                cellBytes,
                maxWays,
                keepDecisions);
    }

    /// These settings with another `enabled`.
    public BalanceSettings withEnabled(boolean isEnabled) {
        return new BalanceSettings(
                isEnabled,
                forceSplitBytes,
                splitCores,
                mergeShare,
                splitQueue,
                splitRejects,
                loadWindow,
                mergeWindow,
                mergeAge,
                tailHorizon,
                cellCores,
                cellBytes,
                maxWays,
                keepDecisions);
    }

    /// These settings with another `keepDecisions`.
    public BalanceSettings withKeepDecisions(Duration time) {
        return new BalanceSettings(
                enabled,
                forceSplitBytes,
                splitCores,
                mergeShare,
                splitQueue,
                splitRejects,
                loadWindow,
                mergeWindow,
                mergeAge,
                tailHorizon,
                cellCores,
                cellBytes,
                maxWays,
                time);
    }
}
