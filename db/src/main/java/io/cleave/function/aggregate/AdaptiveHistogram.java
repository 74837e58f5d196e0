package io.cleave.function.aggregate;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// A histogram that chooses its own bins. Every value starts as a bin of its own. When there are
/// too many bins, the two neighbours with the lowest merge cost are merged (Ben-Haim and Tom-Tov,
/// 2010). Used by one thread.
final class AdaptiveHistogram {
    /// How the cost of merging two neighbours is computed.
    enum Cost {
        DISTANCE("AdaptiveDistance"),
        WEIGHT("AdaptiveWeight"),
        WARD("AdaptiveWard");

        private final String kind;

        Cost(String kind) {
            this.kind = kind;
        }

        String kind() {
            return kind;
        }

        private double of(double left, double leftWeight, double right, double rightWeight) {
            return switch (this) {
                case DISTANCE -> right - left;
                case WEIGHT -> leftWeight + rightWeight;
                case WARD ->
                        leftWeight
                                * rightWeight
                                / (leftWeight + rightWeight)
                                * (left - right)
                                * (left - right);
            };
        }
    }

    /// A pair of neighbours, identified by the left one. Ordered by cost, then by position.
    private record Pair(double cost, double left) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            int order = Double.compare(cost, other.cost);
            return order != 0 ? order : Double.compare(left, other.left);
        }
    }

    private final Cost cost;
    private final int maxBins;
    private final TreeMap<Double, Double> bins = new TreeMap<>();
    private final TreeSet<Pair> pairs = new TreeSet<>();
    private double min;
    private double max;
    private double sum;

    AdaptiveHistogram(Cost cost, int maxBins) {
        this.cost = cost;
        this.maxBins = maxBins;
    }

    /// A value with a weight that is not positive is ignored.
    void add(double value, double weight) {
        if (weight <= 0) {
            return;
        }
        sum += weight;
        // Maps -0.0 to 0.0, so that both share one bin.
        double place = value + 0.0;
        min = bins.isEmpty() ? place : Math.min(min, place);
        max = bins.isEmpty() ? place : Math.max(max, place);
        put(place, weight);
        while (bins.size() > maxBins && bins.size() > 1) {
            joinCheapest();
        }
    }

    private void put(double place, double weight) {
        Map.Entry<Double, Double> left = bins.lowerEntry(place);
        Map.Entry<Double, Double> right = bins.higherEntry(place);
        Double there = bins.get(place);
        if (there != null) {
            forget(left, place, there);
            forgetRight(place, there, right);
        } else if (left != null && right != null) {
            pairs.remove(pair(left.getKey(), left.getValue(), right.getKey(), right.getValue()));
        }
        double total = there == null ? weight : there + weight;
        bins.put(place, total);
        if (left != null) {
            pairs.add(pair(left.getKey(), left.getValue(), place, total));
        }
        if (right != null) {
            pairs.add(pair(place, total, right.getKey(), right.getValue()));
        }
    }

    private void forget(Map.@Nullable Entry<Double, Double> left, double place, double weight) {
        if (left != null) {
            pairs.remove(pair(left.getKey(), left.getValue(), place, weight));
        }
    }

    private void forgetRight(
            double place, double weight, Map.@Nullable Entry<Double, Double> right) {
        if (right != null) {
            pairs.remove(pair(place, weight, right.getKey(), right.getValue()));
        }
    }

    private Pair pair(double left, double leftWeight, double right, double rightWeight) {
        return new Pair(cost.of(left, leftWeight, right, rightWeight), left);
    }

    private void joinCheapest() {
        double left = pairs.first().left();
        double leftWeight = remove(left);
        double right = Objects.requireNonNull(bins.higherKey(left));
        double rightWeight = remove(right);
        double weight = leftWeight + rightWeight;
        put((left * leftWeight + right * rightWeight) / weight, weight);
    }

    /// Removes the bin and makes its two neighbours a pair.
    private double remove(double place) {
        Map.Entry<Double, Double> left = bins.lowerEntry(place);
        Map.Entry<Double, Double> right = bins.higherEntry(place);
        double weight = Objects.requireNonNull(bins.remove(place));
        forget(left, place, weight);
        forgetRight(place, weight, right);
        if (left != null && right != null) {
            pairs.add(pair(left.getKey(), left.getValue(), right.getKey(), right.getValue()));
        }
        return weight;
    }

    Histogram result(String kind) {
        return Histogram.of(kind, min, max, sum, bins);
    }

    int binCount() {
        return bins.size();
    }
}
