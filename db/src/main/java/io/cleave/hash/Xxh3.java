package io.cleave.hash;

/// 64-bit XXH3 by Yann Collet, without a seed and with the default secret.
public final class Xxh3 {
    static final long PRIME32_1 = 0x9E3779B1L;
    static final long PRIME32_2 = 0x85EBCA77L;
    static final long PRIME32_3 = 0xC2B2AE3DL;
    static final long PRIME64_1 = 0x9E3779B185EBCA87L;
    static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
    static final long PRIME64_3 = 0x165667B19E3779F9L;
    static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
    static final long PRIME64_5 = 0x27D4EB2F165667C5L;
    static final long PRIME_MX1 = 0x165667919E3779F9L;
    static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

    private Xxh3() {}

    public static long hash64(byte[] data) {
        int length = data.length;
        if (length <= 16) {
            return upTo16(data, length);
        }
        if (length <= 128) {
            return upTo128(data, length);
        }
        return length <= 240 ? upTo240(data, length) : Xxh3Long.hash64(data);
    }

    private static long upTo16(byte[] data, int length) {
        if (length > 8) {
            long flipLow = secret(24) ^ secret(32);
            long flipHigh = secret(40) ^ secret(48);
            long low = Words.int64(data, 0) ^ flipLow;
            long high = Words.int64(data, length - 8) ^ flipHigh;
            return avalanche(length + Long.reverseBytes(low) + high + folded(low, high));
        }
        if (length >= 4) {
            long first = Words.unsigned32(data, 0);
            long last = Words.unsigned32(data, length - 4);
            long keyed = last + (first << 32) ^ secret(8) ^ secret(16);
            keyed ^= Long.rotateLeft(keyed, 49) ^ Long.rotateLeft(keyed, 24);
            keyed *= PRIME_MX2;
            keyed ^= (keyed >>> 35) + length;
            keyed *= PRIME_MX2;
            return keyed ^ keyed >>> 28;
        }
        if (length > 0) {
            long keyed = combined(data, length) ^ (secret32(0) ^ secret32(4));
            return avalanche64(keyed);
        }
        return avalanche64(secret(56) ^ secret(64));
    }

    /// Combines one to three bytes and their count.
    static long combined(byte[] data, int length) {
        long first = data[0] & 0xFF;
        long middle = data[length >> 1] & 0xFF;
        long last = data[length - 1] & 0xFF;
        return first << 16 | middle << 24 | last | (long) length << 8;
    }

    private static long upTo128(byte[] data, int length) {
        long sum = length * PRIME64_1;
        for (int round = (length - 1) / 32; round >= 0; round--) {
            sum += mix16(data, 16 * round, 32 * round);
            sum += mix16(data, length - 16 * (round + 1), 32 * round + 16);
        }
        return avalanche(sum);
    }

    private static long upTo240(byte[] data, int length) {
        long sum = length * PRIME64_1;
        for (int round = 0; round < 8; round++) {
            sum += mix16(data, 16 * round, 16 * round);
        }
        sum = avalanche(sum);
        for (int round = 8; round < length / 16; round++) {
            sum += mix16(data, 16 * round, 16 * (round - 8) + 3);
        }
        return avalanche(sum + mix16(data, length - 16, 136 - 17));
    }

    static long mix16(byte[] data, int at, int secretAt) {
        return folded(
                Words.int64(data, at) ^ secret(secretAt),
                Words.int64(data, at + 8) ^ secret(secretAt + 8));
    }

    static long secret(int at) {
        return Words.int64(Xxh3Long.SECRET, at);
    }

    static long secret32(int at) {
        return Words.unsigned32(Xxh3Long.SECRET, at);
    }

    /// The XOR of both halves of the 128-bit product.
    static long folded(long left, long right) {
        return left * right ^ Math.unsignedMultiplyHigh(left, right);
    }

    static long avalanche(long hash) {
        long h = hash ^ hash >>> 37;
        h *= PRIME_MX1;
        return h ^ h >>> 32;
    }

    /// The finalizer of the older XXH64.
    static long avalanche64(long hash) {
        long h = hash ^ hash >>> 33;
        h *= PRIME64_2;
        h ^= h >>> 29;
        h *= PRIME64_3;
        return h ^ h >>> 32;
    }
}
