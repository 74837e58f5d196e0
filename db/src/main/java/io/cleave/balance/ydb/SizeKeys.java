package io.cleave.balance.ydb;

import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts.SizePoint;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Chooses keys that split a tablet into pieces of about equal size. No piece has less than half of
/// an even share; with two pieces that is 25 %.
final class SizeKeys {
    /// How far a cut may be from its even position, in pieces. A middle piece may lose at both
    /// ends.
    private static final double SLACK = 0.25;

    private static final double SLACK_OF_HALVES = 0.5;

    private SizeKeys() {}

    /// The number of size points needed to split a tablet into `ways` pieces.
    static int pointsFor(int ways) {
        return 16 * ways;
    }

    static KeyChoice choose(KeyColumns columns, List<SizePoint> points, int ways) {
        if (points.isEmpty()) {
            return KeyChoice.none("it has too few rows to find its middle");
        }
        double slack = (ways == 2 ? SLACK_OF_HALVES : SLACK) / ways;
        List<Bytes> keys = points.stream().map(SizePoint::key).toList();
        List<Bytes> cuts = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        for (int piece = 1; piece < ways; piece++) {
            int number = piece;
            double share = (double) piece / ways;
            List<SizePoint> inside = within(points, share - slack, share + slack);
            if (inside.isEmpty()) {
                rejected.add(nothingBetween(share - slack, share + slack));
                continue;
            }
            Bytes high = inside.getLast().key();
            SizePoint wanted = nearest(inside, share);
            Bytes low = inside.getFirst().key();
            columns.shortestBetween(low, wanted.key(), high, keys)
                    .ifPresentOrElse(
                            cut -> {
                                cuts.add(cut);
                                figures.add(
                                        KeyChoice.before(
                                                "bytes", number, ways, before(points, cut)));
                            },
                            () -> rejected.add(nothingBetween(share - slack, share + slack)));
        }
        return new KeyChoice(cuts, figures, rejected);
    }

    private static String nothingBetween(double low, double high) {
        return String.format(
                Locale.ROOT,
                "no key has between %.0f %% and %.0f %% of its bytes before it",
                low * 100,
                high * 100);
    }

    private static List<SizePoint> within(List<SizePoint> points, double low, double high) {
        return points.stream().filter(p -> p.share() >= low && p.share() <= high).toList();
    }

    private static SizePoint nearest(List<SizePoint> points, double share) {
        SizePoint nearest = points.getFirst();
        for (SizePoint point : points) {
            if (Math.abs(point.share() - share) < Math.abs(nearest.share() - share)) {
                nearest = point;
            }
        }
        return nearest;
    }

    /// The share at the last point that is not after the key.
    private static double before(List<SizePoint> points, Bytes key) {
        double share = 0;
        for (SizePoint point : points) {
            if (point.key().compareTo(key) <= 0) {
                share = point.share();
            }
        }
        return share;
    }
}
