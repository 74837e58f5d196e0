package io.cleave.lsm;

/// Unsigned numbers in as few bytes as they need: seven bits a byte, the low ones first, the high
/// bit set on all but the last.
///
/// Reading returns the number; where it ends follows from its size, so a caller that reads several
/// in a row adds [#bytes(int)].
final class Varint {
    static final int MAX_INT_BYTES = 5;

    private Varint() {}

    static int readInt(byte[] data, int from) {
        int first = data[from];
        return first >= 0 ? first : readLongForm(data, from);
    }

    private static int readLongForm(byte[] data, int from) {
        int result = data[from] & 0x7f;
        int shift = 7;
        int at = from + 1;
        while (data[at] < 0) {
            result |= (data[at++] & 0x7f) << shift;
            shift += 7;
        }
        return result | data[at] << shift;
    }

    static int writeInt(byte[] data, int from, int value) {
        int at = from;
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            data[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        data[at++] = (byte) rest;
        return at;
    }

    static int bytes(int value) {
        return value >>> 7 == 0 ? 1 : (31 - Integer.numberOfLeadingZeros(value)) / 7 + 1;
    }
}
