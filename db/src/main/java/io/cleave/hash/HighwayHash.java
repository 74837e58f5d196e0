package io.cleave.hash;

import java.util.Arrays;

/// HighwayHash64 by Jyrki Alakuijala, Bill Cox and Jan Wassenberg.
public final class HighwayHash {
    private static final int PACKET_BYTES = 32;

    private static final long[] INIT_0 = {
        0xDBE6D5D5FE4CCE2FL, 0xA4093822299F31D0L, 0x13198A2E03707344L, 0x243F6A8885A308D3L
    };
    private static final long[] INIT_1 = {
        0x3BD39E10CB0EF593L, 0xC0ACF169B5F18A8CL, 0xBE5466CF34E90C6CL, 0x452821E638D01377L
    };

    private final long[] v0 = new long[4];
    private final long[] v1 = new long[4];
    private final long[] mul0 = INIT_0.clone();
    private final long[] mul1 = INIT_1.clone();

    private HighwayHash(long[] key) {
        for (int lane = 0; lane < 4; lane++) {
            v0[lane] = mul0[lane] ^ key[lane];
            v1[lane] = mul1[lane] ^ Long.rotateLeft(key[lane], 32);
        }
    }

    /// `key` has four words.
    public static long hash64(long[] key, byte[] data) {
        var state = new HighwayHash(key);
        int at = 0;
        for (; at + PACKET_BYTES <= data.length; at += PACKET_BYTES) {
            state.update(data, at);
        }
        if (at < data.length) {
            state.remainder(data, at);
        }
        for (int round = 0; round < 4; round++) {
            state.permuteAndUpdate();
        }
        return state.v0[0] + state.v1[0] + state.mul0[0] + state.mul1[0];
    }

    private void update(byte[] packet, int at) {
        update(
                Words.int64(packet, at),
                Words.int64(packet, at + 8),
                Words.int64(packet, at + 16),
                Words.int64(packet, at + 24));
    }

    private void update(long... lanes) {
        for (int lane = 0; lane < 4; lane++) {
            v1[lane] += mul0[lane] + lanes[lane];
            mul0[lane] ^= (v1[lane] & 0xFFFFFFFFL) * (v0[lane] >>> 32);
            v0[lane] += mul1[lane];
            mul1[lane] ^= (v0[lane] & 0xFFFFFFFFL) * (v1[lane] >>> 32);
        }
        v0[0] += zipper0(v1[1], v1[0]);
        v0[1] += zipper1(v1[1], v1[0]);
        v0[2] += zipper0(v1[3], v1[2]);
        v0[3] += zipper1(v1[3], v1[2]);
        v1[0] += zipper0(v0[1], v0[0]);
        v1[1] += zipper1(v0[1], v0[0]);
        v1[2] += zipper0(v0[3], v0[2]);
        v1[3] += zipper1(v0[3], v0[2]);
    }

    private static long zipper0(long odd, long even) {
        return ((even & 0xFF000000L) | (odd & 0xFF00000000L)) >>> 24
                | ((even & 0xFF0000000000L) | (odd & 0xFF000000000000L)) >>> 16
                | (even & 0xFF0000L)
                | (even & 0xFF00L) << 32
                | (odd & 0xFF00000000000000L) >>> 8
                | even << 56;
    }

    private static long zipper1(long odd, long even) {
        return ((odd & 0xFF000000L) | (even & 0xFF00000000L)) >>> 24
                | (odd & 0xFF0000L)
                | (odd & 0xFF0000000000L) >>> 16
                | (odd & 0xFF00L) << 24
                | (even & 0xFF000000000000L) >>> 8
                | (odd & 0xFFL) << 48
                | (even & 0xFF00000000000000L);
    }

    /// Mixes in the last bytes, which are fewer than a packet.
    private void remainder(byte[] data, int at) {
        int size = data.length - at;
        int mod4 = size & 3;
        for (int lane = 0; lane < 4; lane++) {
            v0[lane] += ((long) size << 32) + size;
            int low = (int) v1[lane];
            int high = (int) (v1[lane] >>> 32);
            v1[lane] =
                    Integer.toUnsignedLong(Integer.rotateLeft(low, size))
                            | (long) Integer.rotateLeft(high, size) << 32;
        }
        byte[] packet =
                Arrays.copyOf(Arrays.copyOfRange(data, at, data.length - mod4), PACKET_BYTES);
        int tail = data.length - mod4;
        if ((size & 16) != 0) {
            for (int index = 0; index < 4; index++) {
                packet[28 + index] = data[tail + index + mod4 - 4];
            }
        } else if (mod4 != 0) {
            packet[16] = data[tail];
            packet[17] = data[tail + (mod4 >> 1)];
            packet[18] = data[tail + mod4 - 1];
        }
        update(packet, 0);
    }

    private void permuteAndUpdate() {
        update(
                Long.rotateLeft(v0[2], 32),
                Long.rotateLeft(v0[3], 32),
                Long.rotateLeft(v0[0], 32),
                Long.rotateLeft(v0[1], 32));
    }
}
