package io.cleave.exec.kernel;

import io.cleave.value.BytesVector;
import io.cleave.value.LongVector;
import io.cleave.value.Vector;

/// A cache from keys that fit into one long to their groups. Such a key is one integer, or a few
/// strings of a few bytes. An entry may be evicted at any time.
final class ShortKeys {
    /// The code of keys that do not fit.
    static final long NONE = Long.MIN_VALUE;

    private static final int PLACES = 1 << 10;

    private final long[] codes = new long[PLACES];

    /// The group plus one; 0 in an empty place.
    private final int[] groups = new int[PLACES];

    /// A code that is unique among the keys of the same columns, or [#NONE].
    static long code(Vector[] columns, int row) {
        if (columns.length == 1 && columns[0] instanceof LongVector longs) {
            return longs.isNull(row) ? NONE : longs.values()[row];
        }
        if (columns.length > Long.BYTES / 2) {
            return NONE;
        }
        // Each string has a byte for its length and an equal share of the remaining bytes.
        int most = Long.BYTES / columns.length - 1;
        long code = 0;
        for (Vector column : columns) {
            if (!(column instanceof BytesVector bytes) || column.isNull(row)) {
                return NONE;
            }
            int from = bytes.from(row);
            int length = bytes.to(row) - from;
            if (length > most) {
                return NONE;
            }
            byte[] data = bytes.data(row);
            code = code << Byte.SIZE | length;
            for (int index = 0; index < most; index++) {
                code = code << Byte.SIZE | (index < length ? data[from + index] & 0xFF : 0);
            }
        }
        return code;
    }

    /// The group; -1 if it is not in the cache.
    int find(long code) {
        int place = place(code);
        return codes[place] == code ? groups[place] - 1 : -1;
    }

    void put(long code, int group) {
        int place = place(code);
        codes[place] = code;
        groups[place] = group + 1;
    }

    private static int place(long code) {
        return (int) ((code * 0x9E3779B97F4A7C15L) >>> 54);
    }
}
