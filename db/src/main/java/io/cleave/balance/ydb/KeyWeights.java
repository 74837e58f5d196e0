package io.cleave.balance.ydb;

import io.cleave.balance.KeyFacts.Access;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// The distinct sampled keys in ascending order, each with its share of the total weight. There is
/// at least one sample.
final class KeyWeights {
    private final List<Bytes> keys;
    private final double[] before;
    private final int sampleCount;
    private final HotKey hottest;

    KeyWeights(List<KeySample> samples) {
        List<KeySample> sorted = new ArrayList<>(samples);
        sorted.sort(Comparator.comparing(KeySample::key));
        double all = 0;
        for (KeySample sample : sorted) {
            all += sample.weight();
        }
        keys = new ArrayList<>();
        double[] shares = new double[sorted.size() + 1];
        HotKey found = null;
        double sum = 0;
        int index = 0;
        while (index < sorted.size()) {
            Bytes key = sorted.get(index).key();
            shares[keys.size()] = sum / all;
            keys.add(key);
            double own = 0;
            for (; index < sorted.size() && sorted.get(index).key().equals(key); index++) {
                KeySample sample = sorted.get(index);
                sum += sample.weight();
                // A sample of a scan stands for load on other keys too.
                own += sample.access() == Access.RANGE ? 0 : sample.weight();
            }
            double share = own / all;
            if (found == null || share > found.share + Thresholds.ROUNDING) {
                found = new HotKey(key, share);
            }
        }
        shares[keys.size()] = 1;
        before = Arrays.copyOf(shares, keys.size() + 1);
        sampleCount = samples.size();
        hottest = Objects.requireNonNull(found);
    }

    int sampleCount() {
        return sampleCount;
    }

    /// Ascending.
    List<Bytes> keys() {
        return Collections.unmodifiableList(keys);
    }

    /// The share of the total weight before each key, followed by 1.
    double[] before() {
        return before.clone();
    }

    /// The share of the total weight of all keys less than this one.
    double before(Bytes key) {
        int found = Collections.binarySearch(keys, key);
        return before[found < 0 ? -found - 1 : found];
    }

    /// The key with the greatest load of its own, and its share.
    HotKey hottest() {
        return hottest;
    }

    record HotKey(Bytes key, double share) {
        boolean isHot() {
            // With a tolerance, because shares are inexact as doubles.
            return share >= Thresholds.HOT_KEY_SHARE - Thresholds.ROUNDING;
        }
    }
}
