package io.cleave.hash;

import java.util.Arrays;

/// BLAKE2b (RFC 7693), with or without a key.
public final class Blake2b {
    public static final int MAX_KEY_BYTES = 64;

    private static final int BLOCK_BYTES = 128;
    private static final int ROUNDS = 12;

    private static final long[] IV = {
        0x6A09E667F3BCC908L, 0xBB67AE8584CAA73BL, 0x3C6EF372FE94F82BL, 0xA54FF53A5F1D36F1L,
        0x510E527FADE682D1L, 0x9B05688C2B3E6C1FL, 0x1F83D9ABFB41BD6BL, 0x5BE0CD19137E2179L
    };

    private static final byte[][] SIGMA = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}
    };

    private final long[] state = IV.clone();

    private Blake2b() {}

    /// A hash of `size` bytes, from 1 to 64. An empty key means no key.
    public static byte[] hash(byte[] data, byte[] key, int size) {
        var hash = new Blake2b();
        hash.state[0] ^= 0x01010000L ^ (long) key.length << 8 ^ size;
        byte[] input = data;
        if (key.length > 0) {
            input = Arrays.copyOf(key, BLOCK_BYTES + data.length);
            Arrays.fill(input, key.length, BLOCK_BYTES, (byte) 0);
            System.arraycopy(data, 0, input, BLOCK_BYTES, data.length);
        }
        int at = 0;
        while (input.length - at > BLOCK_BYTES) {
            hash.compress(input, at, at + BLOCK_BYTES, false);
            at += BLOCK_BYTES;
        }
        byte[] last = Arrays.copyOf(Arrays.copyOfRange(input, at, input.length), BLOCK_BYTES);
        hash.compress(last, 0, input.length, true);
        byte[] result = new byte[8 * Long.BYTES];
        for (int word = 0; word < 8; word++) {
            Words.put64(result, word * Long.BYTES, hash.state[word]);
        }
        return Arrays.copyOf(result, size);
    }

    private void compress(byte[] block, int at, long count, boolean last) {
        long[] v = Arrays.copyOf(state, 16);
        System.arraycopy(IV, 0, v, 8, 8);
        v[12] ^= count;
        if (last) {
            v[14] = ~v[14];
        }
        for (int round = 0; round < ROUNDS; round++) {
            byte[] s = SIGMA[round % SIGMA.length];
            for (int step = 0; step < 8; step++) {
                int a = step & 3;
                int turn = step >> 2;
                mix(
                        v,
                        a,
                        4 + (a + turn & 3),
                        8 + (a + 2 * turn & 3),
                        12 + (a + 3 * turn & 3),
                        Words.int64(block, at + Long.BYTES * s[2 * step]),
                        Words.int64(block, at + Long.BYTES * s[2 * step + 1]));
            }
        }
        for (int word = 0; word < 8; word++) {
            state[word] ^= v[word] ^ v[word + 8];
        }
    }

    private static void mix(long[] v, int a, int b, int c, int d, long x, long y) {
        v[a] += v[b] + x;
        v[d] = Long.rotateRight(v[d] ^ v[a], 32);
        v[c] += v[d];
        v[b] = Long.rotateRight(v[b] ^ v[c], 24);
        v[a] += v[b] + y;
        v[d] = Long.rotateRight(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = Long.rotateRight(v[b] ^ v[c], 63);
    }
}
