package io.cleave.lsm.table;

import io.cleave.lsm.row.Keys;

import java.util.Arrays;

/// A Bloom filter, which recognizes most keys that are not in a table. All bits of one key are in
/// one line of 64 bytes, so a lookup costs one memory access.
///
/// ```
/// lines of 64 bytes, as many as the bits for all keys need
/// ```
///
/// The upper half of the key's hash selects the line. The lower half selects the bits within it, by
/// double hashing. With 10 bits for each key, about one absent key in a hundred passes the filter.
final class KeyFilter {
    static final int BITS_PER_KEY = 10;
    private static final int LINE_BYTES = 64;
    private static final int PROBES = 6;

    private final byte[] bits;
    private final int lines;

    KeyFilter(byte[] bits) {
        this.bits = bits;
        lines = bits.length / LINE_BYTES;
    }

    byte[] bits() {
        return bits;
    }

    static KeyFilter of(long[] hashes, int count) {
        long lines = Math.max(1, ((long) count * BITS_PER_KEY + 511) / (LINE_BYTES * Byte.SIZE));
        var filter = new KeyFilter(new byte[Math.toIntExact(lines * LINE_BYTES)]);
        for (int index = 0; index < count; index++) {
            filter.add(hashes[index]);
        }
        return filter;
    }

    private void add(long hash) {
        int line = line(hash);
        int probe = (int) hash;
        int step = step(hash);
        for (int index = 0; index < PROBES; index++) {
            bits[line + ((probe >>> 3) & 63)] |= (byte) (1 << (probe & 7));
            probe += step;
        }
    }

    /// False if no key with this hash was added.
    boolean mayContain(long hash) {
        int line = line(hash);
        int probe = (int) hash;
        int step = step(hash);
        for (int index = 0; index < PROBES; index++) {
            if ((bits[line + ((probe >>> 3) & 63)] & (1 << (probe & 7))) == 0) {
                return false;
            }
            probe += step;
        }
        return true;
    }

    private int line(long hash) {
        return (int) (((hash >>> Integer.SIZE) * lines) >>> Integer.SIZE) * LINE_BYTES;
    }

    /// Odd, so that the probes differ.
    private static int step(long hash) {
        return (int) (hash >>> 17) | 1;
    }

    /// Collects the hashes of all keys while a table is written.
    static final class Writer {
        private long[] hashes = new long[1024];
        private int count;

        void add(byte[] key, int keyBytes) {
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, count * 2);
            }
            hashes[count++] = Keys.hash(key, keyBytes);
        }

        KeyFilter finish() {
            return of(hashes, count);
        }
    }
}
