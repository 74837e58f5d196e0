package io.cleave.balance;

import java.util.ArrayList;
import java.util.List;

/// Cuts a row of weights, none of which can be cut itself, so that the greatest piece is as small
/// as it can be. One weight that is more than that is a piece by itself, and the others are cut as
/// evenly as if it were not there.
final class EvenCuts {
    /// Halvings of the interval in which the smallest limit is looked for.
    private static final int STEPS = 40;

    /// Weights are sums of many numbers.
    private static final double ROUNDING = 1e-9;

    /// The share of all weights before each of them; the last one is 1.
    private final double[] before;

    private final int count;

    private EvenCuts(double... before) {
        this.before = before;
        count = before.length - 1;
    }

    /// Before which weights it is cut, ascending; fewer cuts if there are not as many weights as
    /// pieces.
    static List<Integer> choose(double[] before, int ways) {
        return new EvenCuts(before).choose(ways);
    }

    private List<Integer> choose(int ways) {
        double limit = smallestLimit(ways);
        List<Integer> least = leastCuts(limit);
        List<Integer> cuts = new ArrayList<>();
        int from = 0;
        for (int index = 0; index < least.size(); index++) {
            double piece = (1 - before[from]) / (least.size() - index + 1);
            // Not before what the rest needs, and not behind what the limit allows.
            int low = Math.max(least.get(index), from + 1);
            from = nearest(before[from] + piece, low, Math.max(low, reach(from, limit)));
            cuts.add(from);
        }
        return cuts;
    }

    private double smallestLimit(int ways) {
        double low = 0;
        double high = 1;
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (pieces(middle) <= ways) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private int pieces(double limit) {
        int pieces = 0;
        for (int from = 0; from < count; from = reach(from, limit)) {
            pieces++;
        }
        return pieces;
    }

    /// Filled from the end: no cut can be further to the left.
    private List<Integer> leastCuts(double limit) {
        List<Integer> cuts = new ArrayList<>();
        int to = count;
        while (true) {
            int from = to - 1;
            while (from > 0 && before[to] - before[from - 1] <= limit + ROUNDING) {
                from--;
            }
            if (from == 0) {
                return cuts.reversed();
            }
            cuts.add(from);
            to = from;
        }
    }

    /// Where a piece ends that begins here: it has one weight, or as many as are within the limit.
    private int reach(int from, double limit) {
        int to = from + 1;
        while (to < count && before[to + 1] - before[from] <= limit + ROUNDING) {
            to++;
        }
        return to;
    }

    private int nearest(double share, int low, int high) {
        int nearest = low;
        for (int index = low; index <= high; index++) {
            if (Math.abs(before[index] - share) < Math.abs(before[nearest] - share)) {
                nearest = index;
            }
        }
        return nearest;
    }
}
