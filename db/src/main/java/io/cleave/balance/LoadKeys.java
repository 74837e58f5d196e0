package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where a tablet is cut so that each piece has about as much of its load, by keys that were
/// sampled.
///
/// In two: the key with half of the samples before it, cut to as few columns as tell it from those
/// with 10 % and with 90 % before them. Of several such cuts it is the shortest one that is fairly
/// even, or else the most even one. If there is none, one key has most of the load, and cutting
/// does not help.
final class LoadKeys {
    /// From the key that is wanted to those it must be told from, in even shares.
    private static final double REACH_OF_HALVES = 0.8;

    /// A piece in the middle has neighbours on both sides.
    private static final double REACH = 0.4;

    /// A cut that is at most so far off, in even shares, is fairly even.
    private static final double EVEN = 0.2;

    private LoadKeys() {}

    static KeyChoice choose(KeyColumns columns, KeyWeights samples, int ways) {
        if (samples.distinct() < 2) {
            return KeyChoice.none("all its load is on one key");
        }
        double reach = (ways == 2 ? REACH_OF_HALVES : REACH) / ways;
        List<Bytes> cuts = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        for (int piece = 1; piece < ways; piece++) {
            double share = (double) piece / ways;
            Optional<Bytes> cut = cut(columns, samples, share, reach, EVEN / ways);
            if (cut.isPresent()) {
                cuts.add(cut.get());
                figures.add(KeyChoice.before("load", piece, ways, samples.before(cut.get())));
            } else {
                rejected.add(
                        String.format(
                                Locale.ROOT,
                                "the key with %.0f %% of the load before it is also that with %.0f"
                                        + " %% or %.0f %%",
                                share * 100,
                                (share - reach) * 100,
                                (share + reach) * 100));
            }
        }
        return new KeyChoice(cuts, figures, rejected);
    }

    private static Optional<Bytes> cut(
            KeyColumns columns, KeyWeights samples, double share, double reach, double even) {
        Bytes low = samples.keyAt(share - reach);
        Bytes high = samples.keyAt(share + reach);
        Bytes nearest = null;
        for (Bytes prefix : columns.prefixes(samples.keyAt(share))) {
            // Both keys differ from it in these columns.
            boolean isTold = low.compareTo(prefix) < 0 && !high.startsWith(prefix);
            if (isTold && off(samples, prefix, share) <= even) {
                return Optional.of(prefix);
            }
            if (isTold
                    && (nearest == null
                            || off(samples, prefix, share) < off(samples, nearest, share))) {
                nearest = prefix;
            }
        }
        return Optional.ofNullable(nearest);
    }

    private static double off(KeyWeights samples, Bytes key, double share) {
        return Math.abs(samples.before(key) - share);
    }
}
