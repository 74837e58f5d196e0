package io.cleave.hash;

/// The 32-bit fingerprint of FarmHash.
public final class FarmHash32 {
    private static final int C1 = 0xCC9E2D51;
    private static final int C2 = 0x1B873593;
    private static final int ADD = 0xE6546B64;

    private FarmHash32() {}

    public static int fingerprint(byte[] s) {
        int length = s.length;
        if (length <= 4) {
            return upTo4(s);
        }
        if (length <= 12) {
            return upTo12(s, length);
        }
        return length <= 24 ? upTo24(s, length) : beyond24(s, length);
    }

    private static int upTo4(byte[] s) {
        int b = 0;
        int c = 9;
        for (byte letter : s) {
            b = b * C1 + letter;
            c ^= b;
        }
        return finish(mur(b, mur(s.length, c)));
    }

    private static int upTo12(byte[] s, int length) {
        int a = length + Words.int32(s, 0);
        int d = length * 5;
        int b = d + Words.int32(s, length - 4);
        int c = 9 + Words.int32(s, length >> 1 & 4);
        return finish(mur(c, mur(b, mur(a, d))));
    }

    private static int upTo24(byte[] s, int length) {
        int a = Words.int32(s, (length >> 1) - 4);
        int b = Words.int32(s, 4);
        int c = Words.int32(s, length - 8);
        int d = Words.int32(s, length >> 1);
        int e = Words.int32(s, 0);
        int f = Words.int32(s, length - 4);
        int h = d * C1 + length;
        a = rotate(a, 12) + f;
        h = mur(c, h) + a;
        a = rotate(a, 3) + c;
        h = mur(e, h) + a;
        a = rotate(a + f, 12) + d;
        h = mur(b, h) + a;
        return finish(h);
    }

    private static int beyond24(byte[] s, int length) {
        int h = length;
        int g = C1 * length;
        int f = g;
        h = step(step(h, word(s, length - 4)), word(s, length - 16));
        g = step(step(g, word(s, length - 8)), word(s, length - 12));
        f = rotate(f + word(s, length - 20), 19) + 113;
        int at = 0;
        for (int rounds = (length - 1) / 20; rounds > 0; rounds--) {
            int a = Words.int32(s, at);
            int b = Words.int32(s, at + 4);
            int c = Words.int32(s, at + 8);
            int d = Words.int32(s, at + 12);
            int e = Words.int32(s, at + 16);
            h += a;
            g += b;
            f += c;
            h = mur(d, h) + e;
            g = mur(c, g) + a;
            f = mur(b + e * C1, f) + d;
            f += g;
            g += f;
            at += 20;
        }
        g = rotate(rotate(g, 11) * C1, 17) * C1;
        f = rotate(rotate(f, 11) * C1, 17) * C1;
        h = rotate(rotate(h + g, 19) * 5 + ADD, 17) * C1;
        return rotate(rotate(h + f, 19) * 5 + ADD, 17) * C1;
    }

    private static int word(byte[] s, int at) {
        return rotate(Words.int32(s, at) * C1, 17) * C2;
    }

    private static int step(int hash, int word) {
        return rotate(hash ^ word, 19) * 5 + ADD;
    }

    private static int mur(int word, int hash) {
        return step(hash, rotate(word * C1, 17) * C2);
    }

    private static int finish(int hash) {
        int h = hash;
        h ^= h >>> 16;
        h *= 0x85EBCA6B;
        h ^= h >>> 13;
        h *= 0xC2B2AE35;
        return h ^ h >>> 16;
    }

    private static int rotate(int value, int shift) {
        return Integer.rotateRight(value, shift);
    }
}
