package io.cleave.hash;

/// FNV-1 by Fowler, Noll and Vo, which multiplies before it mixes in a byte.
public final class Fnv {
    public static final int INIT_32 = 0x811C9DC5;
    public static final long INIT_64 = 0xCBF29CE484222325L;

    private static final int PRIME_32 = 0x01000193;
    private static final long PRIME_64 = 0x00000100000001B3L;

    private Fnv() {}

    public static int hash32(byte[] data, int init) {
        int hash = init;
        for (byte b : data) {
            hash = hash * PRIME_32 ^ (b & 0xFF);
        }
        return hash;
    }

    public static long hash64(byte[] data, long init) {
        long hash = init;
        for (byte b : data) {
            hash = hash * PRIME_64 ^ (b & 0xFF);
        }
        return hash;
    }
}
