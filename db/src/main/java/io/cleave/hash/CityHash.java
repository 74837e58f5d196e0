package io.cleave.hash;

/// CityHash by Geoff Pike and Jyrki Alakuijala, version 1.0, which is the version that YDB uses.
/// Later versions return other values: [FarmHash] has the 128-bit hash of 1.1.
public final class CityHash {
    private static final long K0 = 0xC3A5C85C97CB3127L;
    private static final long K1 = 0xB492B66FBE98F273L;
    private static final long K2 = 0x9AE16A3B2F90404FL;
    private static final long K3 = 0xC949D7C7509E6557L;

    private CityHash() {}

    public static long hash64(byte[] data, long seed) {
        return Hash128.mixed(hash64(data) - K2, seed);
    }

    public static long hash64(byte[] s) {
        int length = s.length;
        if (length <= 16) {
            return upTo16(s, 0, length);
        }
        if (length <= 32) {
            return upTo32(s, length);
        }
        if (length <= 64) {
            return upTo64(s, length);
        }
        long y = Words.int64(s, length - 16) ^ K1;
        long z = Words.int64(s, length - 56) ^ K0;
        var state = new State();
        state.v(weak(s, length - 64, length, y));
        state.w(weak(s, length - 32, length * K1, K0));
        z += shiftMix(state.v2) * K1;
        state.x = rotate(z + Words.int64(s, 0), 39) * K1;
        state.y = rotate(y, 33) * K1;
        state.z = z;
        int rest = length - 1 & ~63;
        int at = 0;
        do {
            state.round(s, at);
            at += 64;
            rest -= 64;
        } while (rest != 0);
        return Hash128.mixed(
                Hash128.mixed(state.v1, state.w1) + shiftMix(state.y) * K1 + state.z,
                Hash128.mixed(state.v2, state.w2) + state.x);
    }

    public static Hash128 hash128(byte[] s) {
        int length = s.length;
        if (length >= 16) {
            return hash128(s, 16, length - 16, Words.int64(s, 0) ^ K3, Words.int64(s, 8));
        }
        if (length >= 8) {
            long low = Words.int64(s, 0) ^ length * K0;
            return hash128(s, 0, 0, low, Words.int64(s, length - 8) ^ K1);
        }
        return hash128(s, 0, length, K0, K1);
    }

    private static Hash128 hash128(byte[] s, int from, int length, long low, long high) {
        if (length < 128) {
            return murmur(s, from, length, low, high);
        }
        var state = new State();
        state.x = low;
        state.y = high;
        state.z = length * K1;
        state.v1 = rotate(high ^ K1, 49) * K1 + Words.int64(s, from);
        state.v2 = rotate(state.v1, 42) * K1 + Words.int64(s, from + 8);
        state.w1 = rotate(high + state.z, 35) * K1 + low;
        state.w2 = rotate(low + Words.int64(s, from + 88), 53) * K1;
        int at = from;
        int rest = length;
        do {
            state.round(s, at);
            state.round(s, at + 64);
            at += 128;
            rest -= 128;
        } while (rest >= 128);
        state.y += rotate(state.w1, 37) * K0 + state.z;
        state.x += rotate(state.v1 + state.z, 49) * K0;
        for (int done = 32; done < rest + 32; done += 32) {
            state.y = rotate(state.y - state.x, 42) * K0 + state.v2;
            state.w1 += Words.int64(s, at + rest - done + 16);
            state.x = rotate(state.x, 49) * K0 + state.w1;
            state.w1 += state.v1;
            state.v(weak(s, at + rest - done, state.v1, state.v2));
        }
        long x = Hash128.mixed(state.x, state.v1);
        long y = Hash128.mixed(state.y, state.w1);
        return new Hash128(
                Hash128.mixed(x + state.v2, state.w2) + y,
                Hash128.mixed(x + state.w2, y + state.v2));
    }

    /// For fewer than 128 bytes.
    private static Hash128 murmur(byte[] s, int from, int length, long low, long high) {
        if (length > 16) {
            return murmurBeyond16(s, from, length, low, high);
        }
        long c = high * K1 + upTo16(s, from, length);
        long d = rotate(low + (length >= 8 ? Words.int64(s, from) : c), 32);
        return murmurEnd(low, high, c, d);
    }

    /// For more than 16 and fewer than 128 bytes. It is the same in both versions of CityHash128.
    static Hash128 murmurBeyond16(byte[] s, int from, int length, long low, long high) {
        long a = low;
        long b = high;
        long c = Hash128.mixed(Words.int64(s, from + length - 8) + K1, a);
        long d = Hash128.mixed(b + length, c + Words.int64(s, from + length - 16));
        a += d;
        int at = from;
        for (int rest = length - 16; rest > 0; rest -= 16) {
            a ^= shiftMix(Words.int64(s, at) * K1) * K1;
            a *= K1;
            b ^= a;
            c ^= shiftMix(Words.int64(s, at + 8) * K1) * K1;
            c *= K1;
            d ^= c;
            at += 16;
        }
        return murmurEnd(a, b, c, d);
    }

    static Hash128 murmurEnd(long a, long b, long c, long d) {
        long first = Hash128.mixed(a, c);
        long second = Hash128.mixed(d, b);
        return new Hash128(first ^ second, Hash128.mixed(second, first));
    }

    static long rotate(long value, int shift) {
        return Long.rotateRight(value, shift);
    }

    static long shiftMix(long value) {
        return value ^ value >>> 47;
    }

    private static long upTo16(byte[] s, int from, int length) {
        if (length > 8) {
            long a = Words.int64(s, from);
            long b = Words.int64(s, from + length - 8);
            return Hash128.mixed(a, rotate(b + length, length)) ^ b;
        }
        if (length >= 4) {
            long a = Words.unsigned32(s, from);
            return Hash128.mixed(length + (a << 3), Words.unsigned32(s, from + length - 4));
        }
        if (length > 0) {
            long y = (s[from] & 0xFF) + ((s[from + (length >> 1)] & 0xFFL) << 8);
            long z = length + ((s[from + length - 1] & 0xFFL) << 2);
            return shiftMix(y * K2 ^ z * K3) * K2;
        }
        return K2;
    }

    private static long upTo32(byte[] s, int length) {
        long a = Words.int64(s, 0) * K1;
        long b = Words.int64(s, 8);
        long c = Words.int64(s, length - 8) * K2;
        long d = Words.int64(s, length - 16) * K0;
        return Hash128.mixed(
                rotate(a - b, 43) + rotate(c, 30) + d, a + rotate(b ^ K3, 20) - c + length);
    }

    private static long upTo64(byte[] s, int length) {
        long z = Words.int64(s, 24);
        long a = Words.int64(s, 0) + (length + Words.int64(s, length - 16)) * K0;
        long b = rotate(a + z, 52);
        long c = rotate(a, 37);
        a += Words.int64(s, 8);
        c += rotate(a, 7);
        a += Words.int64(s, 16);
        long vf = a + z;
        long vs = b + rotate(a, 31) + c;
        a = Words.int64(s, 16) + Words.int64(s, length - 32);
        z = Words.int64(s, length - 8);
        b = rotate(a + z, 52);
        c = rotate(a, 37);
        a += Words.int64(s, length - 24);
        c += rotate(a, 7);
        a += Words.int64(s, length - 16);
        long wf = a + z;
        long ws = b + rotate(a, 31) + c;
        long r = shiftMix((vf + ws) * K2 + (wf + vs) * K0);
        return shiftMix(r * K0 + vs) * K2;
    }

    /// A weak hash of 32 bytes and two seeds.
    static Hash128 weak(byte[] s, int at, long seedA, long seedB) {
        long z = Words.int64(s, at + 24);
        long a = seedA + Words.int64(s, at);
        long b = rotate(seedB + a + z, 21);
        long c = a;
        a += Words.int64(s, at + 8);
        a += Words.int64(s, at + 16);
        b += rotate(a, 44);
        return new Hash128(a + z, b + c);
    }

    /// The 56 bytes of state for long inputs. Used by one thread.
    private static final class State {
        private long x;
        private long y;
        private long z;
        private long v1;
        private long v2;
        private long w1;
        private long w2;

        void v(Hash128 v) {
            v1 = v.low();
            v2 = v.high();
        }

        void w(Hash128 w) {
            w1 = w.low();
            w2 = w.high();
        }

        /// Mixes in 64 bytes.
        void round(byte[] s, int at) {
            x = rotate(x + y + v1 + Words.int64(s, at + 16), 37) * K1;
            y = rotate(y + v2 + Words.int64(s, at + 48), 42) * K1;
            x ^= w2;
            y ^= v1;
            z = rotate(z ^ w1, 33);
            v(weak(s, at, v2 * K1, x + w1));
            w(weak(s, at + 32, z + w2, y));
            long swapped = z;
            z = x;
            x = swapped;
        }
    }
}
