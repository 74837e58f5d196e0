package io.cleave.balance;

import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.base.Bytes;

import java.util.List;

/// Sampled keys in order, to ask which of them has a share of all samples before it.
final class KeyWeights {
    private static final double ROUNDING = 1e-6;

    private final List<Bytes> sorted;

    KeyWeights(List<KeySample> samples) {
        sorted = samples.stream().map(KeySample::key).sorted().toList();
    }

    long distinct() {
        return sorted.stream().distinct().count();
    }

    Bytes keyAt(double share) {
        // A tenth of a hundred is ten, whatever doubles say.
        int index = (int) (share * sorted.size() + ROUNDING);
        return sorted.get(Math.clamp(index, 0, sorted.size() - 1));
    }

    /// How many of the samples have a key less than this one.
    double before(Bytes key) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).compareTo(key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return (double) low / sorted.size();
    }

    /// The key that most samples have, and its share of them. There are samples.
    HotKey hottest() {
        Bytes hottest = sorted.getFirst();
        int most = 0;
        int run = 0;
        for (int index = 0; index < sorted.size(); index++) {
            boolean same = index > 0 && sorted.get(index).equals(sorted.get(index - 1));
            run = same ? run + 1 : 1;
            if (run > most) {
                most = run;
                hottest = sorted.get(index);
            }
        }
        return new HotKey(hottest, (double) most / sorted.size());
    }

    record HotKey(Bytes key, double share) {
        boolean isHot() {
            return share >= BalanceSettings.HOT_KEY_SHARE;
        }
    }
}
