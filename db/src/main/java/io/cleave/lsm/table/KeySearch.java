package io.cleave.lsm.table;

import io.cleave.lsm.row.Keys;

/// Binary search over ascending keys in memory. It first compares the eight bytes after the prefix
/// that all keys share, so most searches only touch one array of numbers.
final class KeySearch {
    private final byte[] keys;
    private final int[] from;
    private final long[] heads;

    /// The length of the prefix that all keys share.
    private final int common;

    /// Key `n` is `[from[n], from[n + 1])` of `keys`.
    KeySearch(byte[] keys, int[] from) {
        this.keys = keys;
        this.from = from;
        int count = from.length - 1;
        common = count == 0 ? 0 : commonOf(keys, from, count - 1);
        heads = new long[count];
        for (int index = 0; index < count; index++) {
            heads[index] = Keys.head(keys, from[index] + common, from[index + 1]);
        }
    }

    private static int commonOf(byte[] keys, int[] from, int last) {
        int most = Math.min(from[1] - from[0], from[last + 1] - from[last]);
        int common = 0;
        while (common < most && keys[from[0] + common] == keys[from[last] + common]) {
            common++;
        }
        return common;
    }

    int count() {
        return heads.length;
    }

    /// The index of the first key that is at least `key`; the number of keys if there is none.
    int firstNotBefore(byte[] key, int keyBytes) {
        int count = heads.length;
        if (count == 0) {
            return 0;
        }
        int order = compareStart(key, keyBytes);
        if (order != 0) {
            return order < 0 ? 0 : count;
        }
        long head = Keys.head(key, common, keyBytes);
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (heads[middle] < head) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == count || heads[low] != head) {
            return low;
        }
        return firstOfEqualHeads(low, head, key, keyBytes);
    }

    private int firstOfEqualHeads(int first, long head, byte[] key, int keyBytes) {
        int low = first;
        int high = first + 1;
        int step = 1;
        while (high < heads.length && heads[high] == head) {
            high += step;
            step *= 2;
        }
        high = Math.min(high, heads.length);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Keys.compare(keys, from[middle], from[middle + 1], key, 0, keyBytes) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Compares the start of `key` with the shared prefix. Negative: `key` is less than all keys;
    /// positive: it is greater than all.
    private int compareStart(byte[] key, int keyBytes) {
        if (common == 0) {
            return 0;
        }
        int bytes = Math.min(keyBytes, common);
        int order = Keys.compare(key, 0, bytes, keys, from[0], from[0] + bytes);
        return order == 0 && keyBytes < common ? -1 : order;
    }
}
