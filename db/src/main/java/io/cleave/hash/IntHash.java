package io.cleave.hash;

/// Hashes of a single number.
public final class IntHash {
    private static final long FARM_MUL = 0x9DDFEA08EB382D69L;

    private IntHash() {}

    /// Thomas Wang's 64-bit mixing function.
    public static long wang(long number) {
        long key = number;
        key += ~(key << 32);
        key ^= key >>> 22;
        key += ~(key << 13);
        key ^= key >>> 8;
        key += key << 3;
        key ^= key >>> 15;
        key += ~(key << 27);
        return key ^ key >>> 31;
    }

    /// ClickHouse's intHash64: a constant is mixed in, and then the finalizer of MurmurHash3 is
    /// applied.
    public static long murmur3(long number) {
        long key = number ^ 0x4CF2D2BAAE6DA887L;
        key ^= key >>> 33;
        key *= 0xFF51AFD7ED558CCDL;
        key ^= key >>> 33;
        key *= 0xC4CEB9FE1A85EC53L;
        return key ^ key >>> 33;
    }

    /// FarmHash's fingerprint of a number.
    public static long farm(long number) {
        return finish(number);
    }

    /// FarmHash's fingerprint of a 128-bit number.
    public static long farm(long low, long high) {
        long a = (low ^ high) * FARM_MUL;
        a ^= a >>> 47;
        return finish(high ^ a);
    }

    private static long finish(long number) {
        long b = number * FARM_MUL;
        b ^= b >>> 44;
        b *= FARM_MUL;
        b ^= b >>> 41;
        return b * FARM_MUL;
    }
}
