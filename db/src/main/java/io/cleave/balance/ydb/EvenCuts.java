package io.cleave.balance.ydb;

import java.util.ArrayList;
import java.util.List;

/// Cuts a sequence of indivisible weights so that the greatest piece is as small as possible. A
/// single weight above that limit becomes a piece of its own, and the others are cut as evenly as
/// if it were not there.
final class EvenCuts {
    /// Steps of the binary search for the smallest limit.
    private static final int STEPS = 40;

    /// Tolerance: the weights are sums of many numbers.
    private static final double ROUNDING = 1e-9;

    /// The share of the total weight before each weight; the last element is 1.
    private final double[] before;

    private final int count;

    private EvenCuts(double... before) {
        this.before = before;
        count = before.length - 1;
    }

    /// The indexes of the weights before which to cut, ascending. There are fewer cuts if there are
    /// fewer weights than pieces.
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
            // Not before the leftmost position that the rest allows, and not beyond the limit.
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

    /// The leftmost possible cuts, found by filling pieces from the end.
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

    /// The end of the longest piece from `from` within the limit; a piece has at least one weight.
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
