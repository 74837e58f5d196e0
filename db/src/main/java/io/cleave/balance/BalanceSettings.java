package io.cleave.balance;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.Locale;

/// The thresholds and windows that are the same for all tables of a node; what a table says for
/// itself is in [io.cleave.schema.Partitioning].
///
/// What could split and merge for ever is refused: whatever is merged must stay well below what is
/// split.
///
/// @param enabled whether decisions are carried out; they are made and shown all the same
/// @param forceSplitBytes from this size on a tablet is split whatever its table says
/// @param splitCores of CPU time, from which on a tablet is split by load
/// @param mergeShare of `splitCores`: tablets are merged up to this load, all together
/// @param splitQueue commits that wait for a tablet on average, from which on it is saturated
/// @param splitRejects commits refused in a second, from which on it is saturated
/// @param loadWindow over which load is measured
/// @param mergeWindow over which the peak of load counts before a merge
/// @param mergeAge how old a tablet is before it is merged
/// @param tailHorizon how far ahead of growing keys a tablet is cut
/// @param maxWays the most tablets that come of one split, or go into one merge
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
        int maxWays) {
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
                    16);

    /// Of the size that is split: neighbours are merged below it, all together.
    static final double MERGE_SIZE_SHARE = 0.5;

    /// The same where there are more tablets than a table may have.
    static final double CROWDED_SIZE_SHARE = 0.9;

    /// Of a tablet's samples: a key that has as many is named.
    static final double HOT_KEY_SHARE = 0.25;

    /// Of a tablet's writes: if more go beyond all keys before them, the keys grow.
    static final double TAIL_SHARE = 0.8;

    /// With fewer samples nothing is said about keys.
    static final int MIN_SAMPLES = 50;

    /// Of a share, so that a tenth of a hundred is ten, whatever doubles say.
    static final double ROUNDING = 1e-6;

    /// Of the load over the whole window: while the later half of it has as much or more, the load
    /// rises, and how much it will be is not known.
    static final double RISING = 1.25;

    /// Of the mean of a table's busy tablets: what came of a split by load and has more is uneven.
    static final double UNEVEN = 1.3;

    /// Of `splitCores`: tablets below it are not evened out.
    static final double UNEVEN_SHARE = 0.7;

    /// Of `splitCores`: tablets below it are not busy, and their keys are not looked at.
    static final double BUSY_SHARE = 0.2;

    /// Merged tablets have at most this much of the load at which one is split.
    private static final double MOST_MERGE_SHARE = 0.9;

    public BalanceSettings {
        if (forceSplitBytes < 1 << 10) {
            throw refused("tablets are split by force from 1 KB on, or more");
        }
        if (!(splitCores > 0) || !(splitQueue > 0) || !(splitRejects > 0)) {
            throw refused("the load from which on a tablet is split is more than 0");
        }
        if (!(mergeShare > 0) || mergeShare > MOST_MERGE_SHARE) {
            throw refused(
                    String.format(
                            Locale.ROOT,
                            "tablets that are merged up to %.2f of the load at which one is split"
                                    + " could split and merge for ever: it is %.1f at most",
                            mergeShare,
                            MOST_MERGE_SHARE));
        }
        if (mergeWindow.compareTo(loadWindow) < 0) {
            throw refused(
                    "a load that is measured over %d ms cannot have a peak over %d ms: tablets could split and merge for ever"
                            .formatted(loadWindow.toMillis(), mergeWindow.toMillis()));
        }
        if (loadWindow.isNegative() || loadWindow.isZero() || mergeAge.isNegative()) {
            throw refused("load is measured over some time");
        }
        if (mergeAge.compareTo(loadWindow) < 0) {
            throw refused(
                    "tablets that are merged after %d ms, before their load is known after %d ms, could split and merge for ever"
                            .formatted(mergeAge.toMillis(), loadWindow.toMillis()));
        }
        if (maxWays < 2) {
            throw refused("a tablet is split in 2 or more");
        }
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }

    /// The load up to which tablets are merged, all together.
    double mergeCores() {
        return splitCores * mergeShare;
    }

    /// The same with other times: for tests, and for benchmarks that have minutes.
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
                maxWays);
    }

    /// The same with another size from which on a tablet is split by force.
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
                maxWays);
    }

    /// The same with another load from which on a tablet is split.
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
                maxWays);
    }

    /// The same with another share of that load up to which tablets are merged.
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
                maxWays);
    }

    /// The same, carried out or only shown.
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
                maxWays);
    }
}
