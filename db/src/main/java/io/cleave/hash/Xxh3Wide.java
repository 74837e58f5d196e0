package io.cleave.hash;

/// 128-bit XXH3, without a seed and with the default secret.
public final class Xxh3Wide {
    private Xxh3Wide() {}

    public static Hash128 hash128(byte[] data) {
        int length = data.length;
        if (length > 240) {
            return Xxh3Long.hash128(data);
        }
        if (length > 16) {
            return length <= 128 ? upTo128(data, length) : upTo240(data, length);
        }
        if (length > 8) {
            return upTo16(data, length);
        }
        if (length >= 4) {
            return upTo8(data, length);
        }
        return length > 0 ? upTo3(data, length) : empty();
    }

    private static Hash128 empty() {
        return new Hash128(
                Xxh3.avalanche64(Xxh3.secret(64) ^ Xxh3.secret(72)),
                Xxh3.avalanche64(Xxh3.secret(80) ^ Xxh3.secret(88)));
    }

    private static Hash128 upTo3(byte[] data, int length) {
        long low = Xxh3.combined(data, length);
        long high = Integer.toUnsignedLong(Integer.rotateLeft(Integer.reverseBytes((int) low), 13));
        return new Hash128(
                Xxh3.avalanche64(low ^ Xxh3.secret32(0) ^ Xxh3.secret32(4)),
                Xxh3.avalanche64(high ^ Xxh3.secret32(8) ^ Xxh3.secret32(12)));
    }

    private static Hash128 upTo8(byte[] data, int length) {
        long first = Words.unsigned32(data, 0);
        long last = Words.unsigned32(data, length - 4);
        long keyed = first + (last << 32) ^ Xxh3.secret(16) ^ Xxh3.secret(24);
        long mul = Xxh3.PRIME64_1 + ((long) length << 2);
        long low = keyed * mul;
        long high = Math.unsignedMultiplyHigh(keyed, mul);
        high += low << 1;
        low ^= high >>> 3;
        low ^= low >>> 35;
        low *= Xxh3.PRIME_MX2;
        low ^= low >>> 28;
        return new Hash128(low, Xxh3.avalanche(high));
    }

    private static Hash128 upTo16(byte[] data, int length) {
        long flipLow = Xxh3.secret(32) ^ Xxh3.secret(40);
        long flipHigh = Xxh3.secret(48) ^ Xxh3.secret(56);
        long inputLow = Words.int64(data, 0);
        long inputHigh = Words.int64(data, length - 8);
        long keyed = inputLow ^ inputHigh ^ flipLow;
        long low = keyed * Xxh3.PRIME64_1;
        long high = Math.unsignedMultiplyHigh(keyed, Xxh3.PRIME64_1);
        low += (long) (length - 1) << 54;
        inputHigh ^= flipHigh;
        high += inputHigh + (inputHigh & 0xFFFFFFFFL) * (Xxh3.PRIME32_2 - 1);
        low ^= Long.reverseBytes(high);
        long finalLow = low * Xxh3.PRIME64_2;
        long finalHigh = Math.unsignedMultiplyHigh(low, Xxh3.PRIME64_2) + high * Xxh3.PRIME64_2;
        return new Hash128(Xxh3.avalanche(finalLow), Xxh3.avalanche(finalHigh));
    }

    private static Hash128 upTo128(byte[] data, int length) {
        var sum = new Hash128(length * Xxh3.PRIME64_1, 0);
        for (int round = (length - 1) / 32; round >= 0; round--) {
            sum = mix32(sum, data, 16 * round, length - 16 * (round + 1), 32 * round);
        }
        return finish(sum, length);
    }

    private static Hash128 upTo240(byte[] data, int length) {
        var sum = new Hash128(length * Xxh3.PRIME64_1, 0);
        for (int at = 32; at <= 128; at += 32) {
            sum = mix32(sum, data, at - 32, at - 16, at - 32);
        }
        sum = new Hash128(Xxh3.avalanche(sum.low()), Xxh3.avalanche(sum.high()));
        for (int at = 160; at <= length; at += 32) {
            sum = mix32(sum, data, at - 32, at - 16, 3 + at - 160);
        }
        return finish(mix32(sum, data, length - 16, length - 32, 136 - 17 - 16), length);
    }

    private static Hash128 mix32(Hash128 sum, byte[] data, int first, int second, int secretAt) {
        long low = sum.low() + Xxh3.mix16(data, first, secretAt);
        low ^= Words.int64(data, second) + Words.int64(data, second + 8);
        long high = sum.high() + Xxh3.mix16(data, second, secretAt + 16);
        high ^= Words.int64(data, first) + Words.int64(data, first + 8);
        return new Hash128(low, high);
    }

    private static Hash128 finish(Hash128 sum, int length) {
        long low = sum.low() + sum.high();
        long high =
                sum.low() * Xxh3.PRIME64_1 + sum.high() * Xxh3.PRIME64_4 + length * Xxh3.PRIME64_2;
        return new Hash128(Xxh3.avalanche(low), -Xxh3.avalanche(high));
    }
}
