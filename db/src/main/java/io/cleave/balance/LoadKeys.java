package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Where a tablet is cut so that the piece with most of its load has as little as can be, by keys
/// that were sampled.
///
/// A hot key cannot be cut: the cuts are before it or behind it, whichever is more even, and if it
/// alone has more than an even share, it is a piece by itself. A piece has more than a fifth of an
/// even share: of two, 10 % of the load; so the key with half of the load before it is another one
/// than those with 10 % and with 90 %, unless a cut beside it spreads the load just as well.
///
/// Each bound has as few columns as a cut that is nearly as even has.
final class LoadKeys {
    /// Of an even share, a piece has more than that.
    private static final double LEAST = 0.2;

    /// Of the load of all, the greatest piece has less than that: or else it is not worth a cut.
    private static final double MOST = 0.9;

    /// A bound with fewer columns may be so far off, in even shares.
    private static final double EVEN = 0.1;

    /// Samples that a piece is known by.
    private static final int SAMPLES_A_PIECE = BalanceSettings.MIN_SAMPLES / 2;

    private LoadKeys() {}

    static KeyChoice choose(KeyColumns columns, KeyWeights samples, int wantedWays) {
        if (samples.keys().size() < 2) {
            return KeyChoice.none(
                    samples.hottest().isHot()
                            ? "all its load is on one key"
                            : "its scans are known by one key only");
        }
        List<String> rejected = new ArrayList<>();
        int ways = wantedWays;
        if (samples.sampleCount() < ways * SAMPLES_A_PIECE) {
            ways = Math.max(2, samples.sampleCount() / SAMPLES_A_PIECE);
            rejected.add(
                    "%d pieces: only %d of its keys are known"
                            .formatted(wantedWays, samples.sampleCount()));
        }
        List<Integer> even = EvenCuts.choose(samples.before(), ways);
        List<Double> pieces = new ArrayList<>();
        List<Integer> cuts = withoutSmall(samples.before(), even, LEAST / ways, pieces);
        double greatest = pieces.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        if (cuts.isEmpty() || greatest >= MOST - BalanceSettings.ROUNDING) {
            return KeyChoice.none(
                    String.format(
                            Locale.ROOT,
                            "no cut leaves less than %.0f %% of the load to one piece",
                            MOST * 100));
        }
        if (cuts.size() < even.size()) {
            rejected.add(
                    String.format(
                            Locale.ROOT,
                            "%d pieces: one would have %.0f %% of the load or less",
                            even.size() + 1,
                            LEAST / ways * 100));
        }
        return bounds(columns, samples, cuts, EVEN / ways, rejected);
    }

    /// A piece that is too small goes to the smaller one of its neighbours. Adds the shares of all
    /// that are left to `pieces`.
    private static List<Integer> withoutSmall(
            double[] before, List<Integer> even, double least, List<Double> pieces) {
        List<Integer> cuts = new ArrayList<>(even);
        double from = 0;
        for (int cut : cuts) {
            pieces.add(before[cut] - from);
            from = before[cut];
        }
        pieces.add(1 - from);
        while (!cuts.isEmpty()) {
            int smallest = 0;
            for (int piece = 1; piece < pieces.size(); piece++) {
                smallest = pieces.get(piece) < pieces.get(smallest) ? piece : smallest;
            }
            if (pieces.get(smallest) > least + BalanceSettings.ROUNDING) {
                break;
            }
            boolean isLast = smallest == cuts.size();
            boolean toLeft =
                    smallest > 0 && (isLast || pieces.get(smallest - 1) < pieces.get(smallest + 1));
            int cut = toLeft ? smallest - 1 : smallest;
            cuts.subList(cut, cut + 1).clear();
            pieces.set(cut, pieces.get(cut) + pieces.remove(cut + 1));
        }
        return cuts;
    }

    private static KeyChoice bounds(
            KeyColumns columns,
            KeyWeights samples,
            List<Integer> cuts,
            double even,
            List<String> rejected) {
        List<Bytes> bounds = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        Bytes last = samples.keys().getFirst();
        for (int cut : cuts) {
            Bytes bound = shortest(columns, samples, last, samples.keys().get(cut), even);
            bounds.add(bound);
            figures.add(
                    KeyChoice.before(
                            "load", bounds.size(), cuts.size() + 1, samples.before(bound)));
            last = bound;
        }
        return new KeyChoice(bounds, figures, rejected);
    }

    /// The first columns of the key: behind the bound before it, and with nearly as much before
    /// them as the key has.
    private static Bytes shortest(
            KeyColumns columns, KeyWeights samples, Bytes last, Bytes key, double even) {
        double share = samples.before(key);
        for (Bytes prefix : columns.prefixes(key)) {
            if (last.compareTo(prefix) < 0
                    && share - samples.before(prefix) <= even + BalanceSettings.ROUNDING) {
                return prefix;
            }
        }
        return key;
    }
}
