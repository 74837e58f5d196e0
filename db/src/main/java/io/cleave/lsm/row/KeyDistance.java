package io.cleave.lsm.row;

import io.cleave.base.Bytes;

import java.util.Arrays;

/// The relative position of a key between two others. Keys are read as fractions: the bytes after
/// the common prefix are the digits.
final class KeyDistance {
    private static final int DIGITS = 6;

    private KeyDistance() {}

    /// 0 for `low`, approaching 1 for `high`. Requires `low <= key < high`.
    static double share(Bytes low, Bytes high, Bytes key) {
        int shared = Math.max(0, Arrays.mismatch(low.array(), high.array()));
        long from = digits(low, shared);
        long distance = digits(high, shared) - from;
        return distance == 0 ? 0 : (double) (digits(key, shared) - from) / distance;
    }

    private static long digits(Bytes key, int from) {
        long digits = 0;
        for (int index = from; index < from + DIGITS; index++) {
            digits = digits << 8 | (index < key.length() ? key.at(index) & 0xFF : 0);
        }
        return digits;
    }
}
