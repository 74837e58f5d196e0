package io.cleave.hash;

/// A hash of 128 bits in two halves.
public record Hash128(long low, long high) {
    private static final long MUL = 0x9DDFEA08EB382D69L;

    /// Two halves mixed into one, as CityHash and FarmHash do it.
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
