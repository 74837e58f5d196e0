package io.cleave.function.yt;

import io.cleave.base.Bytes;

import java.io.ByteArrayOutputStream;

/// Finds and replaces bytes that are not UTF-8.
final class Utf8Bytes {
    private static final Bytes REPLACEMENT = Bytes.utf8("\uFFFD");

    private Utf8Bytes() {}

    /// The position of the first byte that is not UTF-8; -1 if there is none.
    static int firstInvalid(Bytes text) {
        byte[] in = text.array();
        int at = 0;
        while (at < in.length) {
            int length = characterLength(in, at);
            if (length == 0) {
                return at;
            }
            at += length;
        }
        return -1;
    }

    /// Each run of invalid bytes becomes one replacement character.
    static Bytes repaired(Bytes text) {
        byte[] in = text.array();
        var out = new ByteArrayOutputStream();
        boolean inInvalid = false;
        int at = 0;
        while (at < in.length) {
            int length = characterLength(in, at);
            if (length > 0) {
                out.write(in, at, length);
                at += length;
                inInvalid = false;
            } else {
                if (!inInvalid) {
                    out.writeBytes(REPLACEMENT.array());
                }
                at++;
                inInvalid = true;
            }
        }
        return Bytes.wrap(out.toByteArray());
    }

    /// The length of the character at this position; 0 if there is none.
    private static int characterLength(byte[] in, int at) {
        int first = in[at] & 0xFF;
        int length = declaredLength(first);
        if (length == 0 || at + length > in.length) {
            return 0;
        }
        int point = length == 1 ? first : first & (0x7F >> length);
        for (int index = 1; index < length; index++) {
            int next = in[at + index] & 0xFF;
            if ((next & 0xC0) != 0x80) {
                return 0;
            }
            point = (point << 6) | (next & 0x3F);
        }
        boolean tooLong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
        boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return tooLong || surrogate || point > Character.MAX_CODE_POINT ? 0 : length;
    }

    /// The length that the first byte announces; 0 if no character begins with it.
    private static int declaredLength(int first) {
        if (first < 0x80) {
            return 1;
        }
        if (first < 0xC2 || first >= 0xF5) {
            return 0;
        }
        return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }
}
