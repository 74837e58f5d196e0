package io.cleave.hash;

/// A 128-bit hash in two halves.
public record Hash128(long low, long high) {
    private static final long MUL = 0x9DDFEA08EB382D69L;

    /// Mixes both halves into 64 bits, as CityHash and FarmHash do.
    static long mixed(long low, long high) {
        return mixed(low, high, MUL);
    }

    static long mixed(long low, long high, long mul) {
        long a = (low ^ high) * mul;
        a ^= a >>> 47;
        long b = (high ^ a) * mul;
        b ^= b >>> 47;
        return b * mul;
    }
}
