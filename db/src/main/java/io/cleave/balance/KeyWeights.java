package io.cleave.balance;

import io.cleave.balance.KeyFacts.Access;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/// The keys that were sampled, each once and in order, with what the samples of it weigh of all.
/// There are samples.
final class KeyWeights {
    private final List<Bytes> keys;
    private final double[] before;
    private final int sampleCount;
    private final HotKey hottest;

    KeyWeights(List<KeySample> samples) {
        TreeMap<Bytes, Double> weights = new TreeMap<>();
        samples.forEach(sample -> weights.merge(sample.key(), sample.weight(), Double::sum));
        double all = weights.values().stream().mapToDouble(Double::doubleValue).sum();
        keys = new ArrayList<>(weights.keySet());
        before = new double[keys.size() + 1];
        double sum = 0;
        int index = 0;
        for (double weight : weights.values()) {
            before[index] = sum / all;
            sum += weight;
            index++;
        }
        before[keys.size()] = 1;
        sampleCount = samples.size();
        hottest = hottest(samples, all);
    }

    /// A scan that was seen at a key is load of others, too.
    private static HotKey hottest(List<KeySample> samples, double all) {
        TreeMap<Bytes, Double> weights = new TreeMap<>();
        for (KeySample sample : samples) {
            double weight = sample.access() == Access.RANGE ? 0 : sample.weight();
            weights.merge(sample.key(), weight, Double::sum);
        }
        HotKey hottest = null;
        for (var entry : weights.entrySet()) {
            double share = entry.getValue() / all;
            if (hottest == null || share > hottest.share + BalanceSettings.ROUNDING) {
                hottest = new HotKey(entry.getKey(), share);
            }
        }
        return Objects.requireNonNull(hottest);
    }

    int sampleCount() {
        return sampleCount;
    }

    /// Ascending.
    List<Bytes> keys() {
        return Collections.unmodifiableList(keys);
    }

    /// The share of all weights before each of the keys, and 1.
    double[] before() {
        return before.clone();
    }

    /// The share of the keys less than this one.
    double before(Bytes key) {
        int found = Collections.binarySearch(keys, key);
        return before[found < 0 ? -found - 1 : found];
    }

    /// The key that itself has most of the load, and its share.
    HotKey hottest() {
        return hottest;
    }

    record HotKey(Bytes key, double share) {
        boolean isHot() {
            // A quarter of a hundred is 25, whatever doubles say.
            return share >= BalanceSettings.HOT_KEY_SHARE - BalanceSettings.ROUNDING;
        }
    }
}
