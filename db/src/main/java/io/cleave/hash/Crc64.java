package io.cleave.hash;

/// YDB's 64-bit CRC: highest bit first, its own polynomial, no inversion.
public final class Crc64 {
    public static final long INIT = -1L;

    private static final long POLYNOMIAL = 0xE543279765927881L;
    private static final long[] TABLE = table();

    private Crc64() {}

    private static long[] table() {
        long[] table = new long[256];
        for (int index = 0; index < table.length; index++) {
            long crc = (long) index << 56;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = crc < 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
            }
            table[index] = crc;
        }
        return table;
    }

    public static long hash(byte[] data, long init) {
        long crc = init;
        for (byte b : data) {
            crc = crc << 8 ^ TABLE[(int) (crc >>> 56) ^ (b & 0xFF)];
        }
        return crc;
    }
}
