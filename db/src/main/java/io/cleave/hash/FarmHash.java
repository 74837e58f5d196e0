package io.cleave.hash;

/// The fingerprints of FarmHash by Geoff Pike. They are the same on every machine and in every
/// version.
public final class FarmHash {
    private static final long K0 = 0xC3A5C85C97CB3127L;
    private static final long K1 = 0xB492B66FBE98F273L;
    private static final long K2 = 0x9AE16A3B2F90404FL;

    private FarmHash() {}

    public static long fingerprint64(byte[] s) {
        int length = s.length;
        if (length <= 16) {
            return upTo16(s, 0, length);
        }
        if (length <= 32) {
            return upTo32(s, length);
        }
        return length <= 64 ? upTo64(s, length) : beyond64(s, length);
    }

    private static long upTo16(byte[] s, int from, int length) {
        if (length >= 8) {
            long mul = K2 + length * 2L;
            long a = Words.int64(s, from) + K2;
            long b = Words.int64(s, from + length - 8);
            long c = rotate(b, 37) * mul + a;
            long d = (rotate(a, 25) + b) * mul;
            return Hash128.mixed(c, d, mul);
        }
        if (length >= 4) {
            long mul = K2 + length * 2L;
            long a = Words.unsigned32(s, from);
            return Hash128.mixed(length + (a << 3), Words.unsigned32(s, from + length - 4), mul);
        }
        if (length > 0) {
            int y = (s[from] & 0xFF) + ((s[from + (length >> 1)] & 0xFF) << 8);
            int z = length + ((s[from + length - 1] & 0xFF) << 2);
            return shiftMix(y * K2 ^ z * K0) * K2;
        }
        return K2;
    }

    private static long upTo32(byte[] s, int length) {
        long mul = K2 + length * 2L;
        long a = Words.int64(s, 0) * K1;
        long b = Words.int64(s, 8);
        long c = Words.int64(s, length - 8) * mul;
        long d = Words.int64(s, length - 16) * K2;
        return Hash128.mixed(
                rotate(a + b, 43) + rotate(c, 30) + d, a + rotate(b + K2, 18) + c, mul);
    }

    private static long upTo64(byte[] s, int length) {
        long mul = K2 + length * 2L;
        long a = Words.int64(s, 0) * K2;
        long b = Words.int64(s, 8);
        long c = Words.int64(s, length - 8) * mul;
        long d = Words.int64(s, length - 16) * K2;
        long y = rotate(a + b, 43) + rotate(c, 30) + d;
        long z = Hash128.mixed(y, a + rotate(b + K2, 18) + c, mul);
        long e = Words.int64(s, 16) * mul;
        long f = Words.int64(s, 24);
        long g = (y + Words.int64(s, length - 32)) * mul;
        long h = (z + Words.int64(s, length - 24)) * mul;
        return Hash128.mixed(rotate(e + f, 43) + rotate(g, 30) + h, e + rotate(f + a, 18) + g, mul);
    }

    private static long beyond64(byte[] s, int length) {
        long seed = 81;
        long x = seed;
        long y = seed * K1 + 113;
        long z = shiftMix(y * K2 + 113) * K2;
        var v = new Hash128(0, 0);
        var w = new Hash128(0, 0);
        x = x * K2 + Words.int64(s, 0);
        int end = (length - 1) / 64 * 64;
        int last = end + (length - 1 & 63) - 63;
        for (int at = 0; at < end; at += 64) {
            x = rotate(x + y + v.low() + Words.int64(s, at + 8), 37) * K1;
            y = rotate(y + v.high() + Words.int64(s, at + 48), 42) * K1;
            x ^= w.high();
            y += v.low() + Words.int64(s, at + 40);
            z = rotate(z + w.low(), 33) * K1;
            v = CityHash.weak(s, at, v.high() * K1, x + w.low());
            w = CityHash.weak(s, at + 32, z + w.high(), y + Words.int64(s, at + 16));
            long swapped = x;
            x = z;
            z = swapped;
        }
        long mul = K1 + ((z & 0xFF) << 1);
        w = new Hash128(w.low() + (length - 1 & 63), w.high());
        v = new Hash128(v.low() + w.low(), v.high());
        w = new Hash128(w.low() + v.low(), w.high());
        x = rotate(x + y + v.low() + Words.int64(s, last + 8), 37) * mul;
        y = rotate(y + v.high() + Words.int64(s, last + 48), 42) * mul;
        x ^= w.high() * 9;
        y += v.low() * 9 + Words.int64(s, last + 40);
        z = rotate(z + w.low(), 33) * mul;
        v = CityHash.weak(s, last, v.high() * mul, x + w.low());
        w = CityHash.weak(s, last + 32, z + w.high(), y + Words.int64(s, last + 16));
        return Hash128.mixed(
                Hash128.mixed(v.low(), w.low(), mul) + shiftMix(y) * K0 + x,
                Hash128.mixed(v.high(), w.high(), mul) + z,
                mul);
    }

    /// CityHash128 of version 1.1.
    public static Hash128 fingerprint128(byte[] s) {
        return s.length >= 16
                ? fingerprint128(s, 16, s.length - 16, Words.int64(s, 0), Words.int64(s, 8) + K0)
                : fingerprint128(s, 0, s.length, K0, K1);
    }

    static Hash128 fingerprint128(byte[] s, int from, int length, long low, long high) {
        if (length < 128) {
            return murmur(s, from, length, low, high);
        }
        long x = low;
        long y = high;
        long z = length * K1;
        long v1 = rotate(y ^ K1, 49) * K1 + Words.int64(s, from);
        var v = new Hash128(v1, rotate(v1, 42) * K1 + Words.int64(s, from + 8));
        var w =
                new Hash128(
                        rotate(y + z, 35) * K1 + x, rotate(x + Words.int64(s, from + 88), 53) * K1);
        int at = from;
        int rest = length;
        do {
            for (int half = 0; half < 2; half++) {
                x = rotate(x + y + v.low() + Words.int64(s, at + 8), 37) * K1;
                y = rotate(y + v.high() + Words.int64(s, at + 48), 42) * K1;
                x ^= w.high();
                y += v.low() + Words.int64(s, at + 40);
                z = rotate(z + w.low(), 33) * K1;
                v = CityHash.weak(s, at, v.high() * K1, x + w.low());
                w = CityHash.weak(s, at + 32, z + w.high(), y + Words.int64(s, at + 16));
                long swapped = z;
                z = x;
                x = swapped;
                at += 64;
            }
            rest -= 128;
        } while (rest >= 128);
        x += rotate(v.low() + z, 49) * K0;
        y = y * K0 + rotate(w.high(), 37);
        z = z * K0 + rotate(w.low(), 27);
        w = new Hash128(w.low() * 9, w.high());
        v = new Hash128(v.low() * K0, v.high());
        for (int done = 32; done < rest + 32; done += 32) {
            int tail = at + rest - done;
            y = rotate(x + y, 42) * K0 + v.high();
            w = new Hash128(w.low() + Words.int64(s, tail + 16), w.high());
            x = x * K0 + w.low();
            z += w.high() + Words.int64(s, tail);
            w = new Hash128(w.low(), w.high() + v.low());
            v = CityHash.weak(s, tail, v.low() + z, v.high());
            v = new Hash128(v.low() * K0, v.high());
        }
        x = Hash128.mixed(x, v.low());
        y = Hash128.mixed(y + z, w.low());
        return new Hash128(
                Hash128.mixed(x + v.high(), w.high()) + y,
                Hash128.mixed(x + w.high(), y + v.high()));
    }

    /// For fewer than 128 bytes.
    private static Hash128 murmur(byte[] s, int from, int length, long low, long high) {
        if (length > 16) {
            return CityHash.murmurBeyond16(s, from, length, low, high);
        }
        long a = shiftMix(low * K1) * K1;
        long c = high * K1 + upTo16(s, from, length);
        long d = shiftMix(a + (length >= 8 ? Words.int64(s, from) : c));
        return CityHash.murmurEnd(a, high, c, d);
    }

    private static long rotate(long value, int shift) {
        return CityHash.rotate(value, shift);
    }

    private static long shiftMix(long value) {
        return CityHash.shiftMix(value);
    }
}
