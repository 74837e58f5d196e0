package io.cleave.hash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Argon2d (RFC 9106) with YDB's parameters: one pass over 32 blocks in one lane, a result of 32
/// bytes.
@SuppressWarnings("ByteBufferBackingArray") // each buffer is allocated whole, by buffer()
public final class Argon2 {
    public static final int MIN_SALT_BYTES = 8;

    private static final int TAG_BYTES = 32;
    private static final int MEMORY_BLOCKS = 32;
    private static final int VERSION = 0x13;
    private static final int BLOCK_WORDS = 128;

    private Argon2() {}

    public static byte[] hash(byte[] password, byte[] salt) {
        byte[] first = first(password, salt);
        long[][] blocks = new long[MEMORY_BLOCKS][];
        for (int index = 0; index < 2; index++) {
            ByteBuffer seed = buffer(first.length + 2 * Integer.BYTES);
            seed.put(first).putInt(index).putInt(0);
            blocks[index] = words(longHash(seed.array(), BLOCK_WORDS * Long.BYTES));
        }
        for (int index = 2; index < MEMORY_BLOCKS; index++) {
            long[] previous = blocks[index - 1];
            blocks[index] = fill(previous, blocks[reference(index, previous[0])]);
        }
        ByteBuffer last = buffer(BLOCK_WORDS * Long.BYTES);
        for (long word : blocks[MEMORY_BLOCKS - 1]) {
            last.putLong(word);
        }
        return longHash(last.array(), TAG_BYTES);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] first(byte[] password, byte[] salt) {
        ByteBuffer input = buffer(10 * Integer.BYTES + password.length + salt.length);
        // Lanes, result length, memory, passes, version, and 0 for Argon2d.
        input.putInt(1).putInt(TAG_BYTES).putInt(MEMORY_BLOCKS).putInt(1).putInt(VERSION).putInt(0);
        input.putInt(password.length).put(password);
        input.putInt(salt.length).put(salt);
        // Neither a secret nor associated data.
        input.putInt(0).putInt(0);
        return Blake2b.hash(input.array(), new byte[0], 64);
    }

    /// BLAKE2b with a result of any length.
    private static byte[] longHash(byte[] data, int size) {
        ByteBuffer input = buffer(Integer.BYTES + data.length);
        input.putInt(size).put(data);
        if (size <= 64) {
            return Blake2b.hash(input.array(), new byte[0], size);
        }
        byte[] result = new byte[size];
        byte[] part = Blake2b.hash(input.array(), new byte[0], 64);
        int at = 0;
        while (size - at > 64) {
            System.arraycopy(part, 0, result, at, 32);
            at += 32;
            part = Blake2b.hash(part, new byte[0], Math.min(64, size - at));
        }
        System.arraycopy(part, 0, result, at, size - at);
        return result;
    }

    private static long[] words(byte[] data) {
        long[] words = new long[data.length / Long.BYTES];
        for (int index = 0; index < words.length; index++) {
            words[index] = Words.int64(data, index * Long.BYTES);
        }
        return words;
    }

    /// Which earlier block is mixed in. The first word of the previous block decides.
    private static int reference(int index, long random) {
        int area = index - 1;
        long x = ((random & 0xFFFFFFFFL) * (random & 0xFFFFFFFFL)) >>> 32;
        long y = (area * x) >>> 32;
        return (int) (area - 1 - y);
    }

    private static long[] fill(long[] previous, long[] reference) {
        long[] mixed = new long[BLOCK_WORDS];
        for (int index = 0; index < BLOCK_WORDS; index++) {
            mixed[index] = previous[index] ^ reference[index];
        }
        long[] result = mixed.clone();
        for (int row = 0; row < 8; row++) {
            permute(mixed, 16 * row, 1, 2);
        }
        for (int column = 0; column < 8; column++) {
            permute(mixed, 2 * column, 1, 16);
        }
        for (int index = 0; index < BLOCK_WORDS; index++) {
            result[index] ^= mixed[index];
        }
        return result;
    }

    /// One round over 16 words: eight pairs of neighbours, `stride` apart.
    private static void permute(long[] block, int from, int neighbour, int stride) {
        int[] at = new int[16];
        for (int index = 0; index < 16; index++) {
            at[index] = from + index / 2 * stride + index % 2 * neighbour;
        }
        for (int step = 0; step < 8; step++) {
            int a = step & 3;
            int turn = step >> 2;
            mix(
                    block,
                    at[a],
                    at[4 + (a + turn & 3)],
                    at[8 + (a + 2 * turn & 3)],
                    at[12 + (a + 3 * turn & 3)]);
        }
    }

    private static void mix(long[] v, int a, int b, int c, int d) {
        v[a] = multiplied(v[a], v[b]);
        v[d] = Long.rotateRight(v[d] ^ v[a], 32);
        v[c] = multiplied(v[c], v[d]);
        v[b] = Long.rotateRight(v[b] ^ v[c], 24);
        v[a] = multiplied(v[a], v[b]);
        v[d] = Long.rotateRight(v[d] ^ v[a], 16);
        v[c] = multiplied(v[c], v[d]);
        v[b] = Long.rotateRight(v[b] ^ v[c], 63);
    }

    private static long multiplied(long x, long y) {
        return x + y + 2 * (x & 0xFFFFFFFFL) * (y & 0xFFFFFFFFL);
    }
}
