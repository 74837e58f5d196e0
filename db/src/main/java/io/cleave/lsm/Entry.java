package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.Arrays;

/// One version of a row, without an object of its own: whoever walks over versions shows each in
/// turn in these fields.
class Entry {
    byte[] key = Bytes.EMPTY.array();
    int keyBytes;
    long timestamp;

    /// The encoded [RowChange] is `[from, to)` of this array, which never changes.
    byte[] change = Bytes.EMPTY.array();

    int from;
    int to;

    final int compareKey(Entry other) {
        return Arrays.compareUnsigned(key, 0, keyBytes, other.key, 0, other.keyBytes);
    }

    final int compareKey(Bytes bound) {
        return Arrays.compareUnsigned(key, 0, keyBytes, bound.array(), 0, bound.length());
    }

    final boolean hasKey(byte[] bytes) {
        return Arrays.equals(key, 0, keyBytes, bytes, 0, bytes.length);
    }
}
