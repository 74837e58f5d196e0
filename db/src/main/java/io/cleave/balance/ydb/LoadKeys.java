package io.cleave.balance.ydb;

import io.cleave.balance.Figure;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Chooses keys that split a tablet by load, from sampled keys: the piece with the most load gets
/// as little as possible.
///
/// A hot key cannot be cut: the cuts are before or after it, whichever is more even. If it alone
/// has more than an even share, it becomes a piece of its own. Every piece has more than a fifth of
/// an even share; with two pieces that is 10 % of the load. So the key with half of the load before
/// it differs from the keys at 10 % and 90 %, unless a cut beside it spreads the load just as well.
///
/// Among cuts that are nearly as even, the bound with the fewest columns is taken.
final class LoadKeys {
    /// A piece must have more than this part of an even share.
    private static final double LEAST = 0.2;

    /// The greatest piece must have less than this share of the load, or the split is not worth it.
    private static final double MOST = 0.9;

    /// How far a bound with fewer columns may be from the even cut, in even shares.
    private static final double EVEN = 0.1;

    /// The minimum number of samples for each piece.
    private static final int SAMPLES_A_PIECE = Thresholds.MIN_SAMPLES / 2;

    private LoadKeys() {}

    static KeyChoice choose(KeyColumns columns, KeyWeights samples, int wantedWays) {
        if (samples.keys().size() < 2) {
            return KeyChoice.none(
                    samples.hottest().isHot()
                            ? "all its load is on one key"
                            : "only one key of its scans was sampled");
        }
        List<String> rejected = new ArrayList<>();
        int ways = wantedWays;
        if (samples.sampleCount() < ways * SAMPLES_A_PIECE) {
            ways = Math.max(2, samples.sampleCount() / SAMPLES_A_PIECE);
            rejected.add(
                    "%d pieces: only %d keys were sampled"
                            .formatted(wantedWays, samples.sampleCount()));
        }
        List<Integer> even = EvenCuts.choose(samples.before(), ways);
        List<Double> pieces = new ArrayList<>();
        List<Integer> cuts = withoutSmall(samples.before(), even, LEAST / ways, pieces);
        double greatest = pieces.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        if (cuts.isEmpty() || greatest >= MOST - Thresholds.ROUNDING) {
            return KeyChoice.none(
                    String.format(
                            Locale.ROOT,
                            "every cut leaves %.0f %% of the load or more to one piece",
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

    /// Joins each piece that is too small to its smaller neighbour. Adds the shares of the
    /// remaining pieces to `pieces`.
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
            if (pieces.get(smallest) > least + Thresholds.ROUNDING) {
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

    /// The shortest prefix of the key that is after the previous bound and has nearly the same
    /// share before it.
    private static Bytes shortest(
            KeyColumns columns, KeyWeights samples, Bytes last, Bytes key, double even) {
        double share = samples.before(key);
        for (Bytes prefix : columns.prefixes(key)) {
            if (last.compareTo(prefix) < 0
                    && share - samples.before(prefix) <= even + Thresholds.ROUNDING) {
                return prefix;
            }
        }
        return key;
    }
}
