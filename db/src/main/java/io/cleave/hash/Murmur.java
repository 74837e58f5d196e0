package io.cleave.hash;

/// MurmurHash2 by Austin Appleby: the 32-bit version, the 64-bit version (64A), and the variant 2A,
/// which mixes in the tail and the length like words.
public final class Murmur {
    private static final int MUL_32 = 0x5BD1E995;
    private static final int SHIFT_32 = 24;
    private static final long MUL_64 = 0xC6A4A7935BD1E995L;
    private static final int SHIFT_64 = 47;

    private Murmur() {}

    public static int hash32(byte[] data, int seed) {
        int hash = seed ^ data.length;
        int at = 0;
        for (; at + Integer.BYTES <= data.length; at += Integer.BYTES) {
            hash = mix(hash, Words.int32(data, at));
        }
        if (at < data.length) {
            hash ^= (int) tail(data, at);
            hash *= MUL_32;
        }
        return finish(hash);
    }

    private static int mix(int hash, int word) {
        int k = word * MUL_32;
        k ^= k >>> SHIFT_32;
        k *= MUL_32;
        return hash * MUL_32 ^ k;
    }

    private static int finish(int hash) {
        int h = hash;
        h ^= h >>> 13;
        h *= MUL_32;
        return h ^ h >>> 15;
    }

    /// The bytes from `from` on, little-endian.
    private static long tail(byte[] data, int from) {
        long tail = 0;
        for (int at = data.length - 1; at >= from; at--) {
            tail = tail << Byte.SIZE | (data[at] & 0xFF);
        }
        return tail;
    }

    public static long hash64(byte[] data, long seed) {
        long hash = seed ^ data.length * MUL_64;
        int at = 0;
        for (; at + Long.BYTES <= data.length; at += Long.BYTES) {
            long k = Words.int64(data, at) * MUL_64;
            k ^= k >>> SHIFT_64;
            hash = (hash ^ k * MUL_64) * MUL_64;
        }
        if (at < data.length) {
            hash = (hash ^ tail(data, at)) * MUL_64;
        }
        return finish(hash);
    }

    private static long finish(long hash) {
        long h = hash;
        h ^= h >>> SHIFT_64;
        h *= MUL_64;
        return h ^ h >>> SHIFT_64;
    }

    public static int hash2a32(byte[] data, int seed) {
        int hash = seed;
        int at = 0;
        for (; at + Integer.BYTES <= data.length; at += Integer.BYTES) {
            hash = mix(hash, Words.int32(data, at));
        }
        hash = mix(hash, (int) tail(data, at));
        return finish(mix(hash, data.length));
    }

    public static long hash2a64(byte[] data, long seed) {
        long hash = seed;
        int at = 0;
        for (; at + Long.BYTES <= data.length; at += Long.BYTES) {
            hash = mix(hash, Words.int64(data, at));
        }
        hash = mix(hash, tail(data, at));
        return finish(mix(hash, data.length));
    }

    private static long mix(long hash, long word) {
        long k = word * MUL_64;
        k ^= k >>> SHIFT_64;
        return hash * MUL_64 ^ k * MUL_64;
    }
}
