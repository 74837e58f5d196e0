package io.cleave.hash;

/// The fingerprints that YTsaurus makes of numbers and strings. Its function `farm_hash` begins
/// with [#SEED], combines the fingerprint of each value, and adds the number of values by XOR.
public final class YtHash {
    public static final long SEED = 0xDEADC0DEL;

    private static final long MULTIPLIER = 0x9DDFEA08EB382D69L;

    private YtHash() {}

    /// The fingerprint of a number's 64 bits.
    public static long of(long bits) {
        return mixed(bits * MULTIPLIER);
    }

    public static long of(byte[] string) {
        return FarmHash.fingerprint64(string);
    }

    /// The fingerprint of two fingerprints, in this order.
    public static long combined(long low, long high) {
        long a = (low ^ high) * MULTIPLIER;
        a ^= a >>> 47;
        return mixed((high ^ a) * MULTIPLIER);
    }

    private static long mixed(long bits) {
        long b = bits;
        b ^= b >>> 44;
        b *= MULTIPLIER;
        b ^= b >>> 41;
        b *= MULTIPLIER;
        return b;
    }
}
