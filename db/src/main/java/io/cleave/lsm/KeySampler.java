package io.cleave.lsm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Takes a [KeySample] of keys that come one by one, each once. Of few keys it has all; of many at
/// least half of [#MOST].
///
/// Threads: one at a time.
final class KeySampler {
    /// Of so many keys a share is known to about 5 %, half of the time; they take 3 KB.
    static final int MOST = 256;

    private static final int FIRST_CAPACITY = 8;

    private long bound = Long.MAX_VALUE;
    private long[] hashes = new long[0];
    private int[] places = new int[0];
    private int count;

    /// What a sample knows of a key's hash ([Keys#hash]).
    static long sampled(long keyHash) {
        return keyHash >>> 1;
    }

    /// Whether the key is to be added.
    boolean takes(long keyHash) {
        return sampled(keyHash) < bound;
    }

    /// @param place of the key, whatever that means to the caller
    void add(long keyHash, int place) {
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

    /// @param isIn of a place: whether its key is wanted
    /// @param isErased of a place: whether the newest version of its key is an ERASE
    KeySample sample(IntPredicate isIn, IntPredicate isErased) {
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
