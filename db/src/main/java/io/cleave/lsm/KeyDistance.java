package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.Arrays;

/// Where a key lies between two others, if keys are taken for fractions: the bytes behind what all
/// three begin with are the digits.
final class KeyDistance {
    private static final int DIGITS = 6;

    private KeyDistance() {}

    /// From 0 for `low` to 1 for `high`; `low <= key < high`.
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
