package io.cleave.lsm.row;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Builds a [KeySample] from keys that are added one by one, each once. With fewer than [#MOST]
/// keys, all are sampled; with more, at least half of [#MOST].
///
/// Threads: one at a time.
public final class KeySampler {
    /// With this many sampled keys, half of the estimated shares are off by less than about 5 %.
    /// They take 3 KB.
    public static final int MOST = 256;

    private static final int FIRST_CAPACITY = 8;

    private long bound = Long.MAX_VALUE;
    private long[] hashes = new long[0];
    private int[] places = new int[0];
    private int count;

    /// The part of a key's hash ([Keys#hash]) that a sample stores.
    public static long sampled(long keyHash) {
        return keyHash >>> 1;
    }

    /// Whether the key is to be added.
    public boolean takes(long keyHash) {
        return sampled(keyHash) < bound;
    }

    /// Adds a key. `place` is a number for the key, with a meaning that the caller defines
    public void add(long keyHash, int place) {
        if (count == hashes.length) {
            int capacity = Math.max(FIRST_CAPACITY, 2 * count);
            hashes = Arrays.copyOf(hashes, capacity);
            places = Arrays.copyOf(places, capacity);
        }
        hashes[count] = sampled(keyHash);
        places[count] = place;
        count++;
        if (count == MOST) {
            keepHalf();
        }
    }

    private void keepHalf() {
        long[] sorted = Arrays.copyOf(hashes, count);
        Arrays.sort(sorted);
        bound = sorted[count / 2];
        int kept = 0;
        for (int index = 0; index < count; index++) {
            if (hashes[index] < bound) {
                hashes[kept] = hashes[index];
                places[kept] = places[index];
                kept++;
            }
        }
        count = kept;
    }

    /// The sample of the wanted keys. `isIn` says whether the key at a place is wanted, `isErased`
    /// whether the newest version of the key at a place is an ERASE.
    public KeySample sample(IntPredicate isIn, IntPredicate isErased) {
        List<Integer> order =
                IntStream.range(0, count)
                        .filter(index -> isIn.test(places[index]))
                        .boxed()
                        .sorted(Comparator.comparingLong(index -> hashes[index]))
                        .toList();
        long[] sortedHashes = new long[order.size()];
        int[] sortedPlaces = new int[order.size()];
        var erased = new BitSet();
        for (int index = 0; index < order.size(); index++) {
            sortedHashes[index] = hashes[order.get(index)];
            sortedPlaces[index] = places[order.get(index)];
            erased.set(index, isErased.test(sortedPlaces[index]));
        }
        return new KeySample(bound, sortedHashes, sortedPlaces, erased);
    }
}
