package io.cleave.hash;

/// SipHash-2-4 by Aumasson and Bernstein.
public final class SipHash {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    private SipHash(long key0, long key1) {
        v0 = key0 ^ 0x736F6D6570736575L;
        v1 = key1 ^ 0x646F72616E646F6DL;
        v2 = key0 ^ 0x6C7967656E657261L;
        v3 = key1 ^ 0x7465646279746573L;
    }

    public static long hash(long key0, long key1, byte[] data) {
        var state = new SipHash(key0, key1);
        int at = 0;
        for (; at + Long.BYTES <= data.length; at += Long.BYTES) {
            state.take(Words.int64(data, at));
        }
        long last = (long) data.length << 56;
        for (int index = at; index < data.length; index++) {
            last |= (data[index] & 0xFFL) << (Byte.SIZE * (index - at));
        }
        state.take(last);
        state.v2 ^= 0xFF;
        for (int round = 0; round < 4; round++) {
            state.round();
        }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
    }

    private void take(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    private void round() {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
    }
}
