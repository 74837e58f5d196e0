package io.cleave.bench.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// The rows that every engine gets. A row is computed from its number alone.
///
/// ```
/// key    16 bytes   the even number 2 * row in decimal; odd numbers are absent
/// value  100 bytes  64 that nothing compresses, then 36 that all rows share
/// ```
///
/// A checksum of all bytes read ensures that every byte is really read, and lets the engines be
/// compared: the same reads must have the same checksum.
final class Rows {
    static final int KEY_BYTES = 16;
    static final int VALUE_BYTES = 100;
    static final int ROW_BYTES = KEY_BYTES + VALUE_BYTES;

    private static final int RANDOM_BYTES = 64;
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] SHARED =
            " status=active region=eu tier=silver"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private Rows() {}

    static byte[] key(long row) {
        return digits(2 * row);
    }

    /// An absent key between the keys of this row and the next one.
    static byte[] absentKey(long row) {
        return digits(2 * row + 1);
    }

    private static byte[] digits(long number) {
        byte[] key = new byte[KEY_BYTES];
        long rest = number;
        for (int index = KEY_BYTES - 1; index >= 0; index--) {
            long tenth = rest / 10;
            key[index] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
        return key;
    }

    static byte[] value(long row) {
        byte[] value = new byte[VALUE_BYTES];
        long state = (row + 1) * 0xd1342543de82ef95L;
        for (int index = 0; index < RANDOM_BYTES; index += Long.BYTES) {
            state += 0x9e3779b97f4a7c15L;
            long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
            LONG.set(value, index, mixed ^ (mixed >>> 27));
        }
        System.arraycopy(SHARED, 0, value, RANDOM_BYTES, SHARED.length);
        return value;
    }

    /// All row numbers below `count`, shuffled in the same order in every run.
    static int[] shuffled(int count) {
        int[] order = new int[count];
        var random = new Random(42);
        for (int index = 0; index < count; index++) {
            int other = random.nextInt(index + 1);
            order[index] = order[other];
            order[other] = index;
        }
        return order;
    }

    static long sum(byte[] data, int from, int to) {
        long sum = 0;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            sum += (long) LONG.get(data, at);
        }
        for (; at + Integer.BYTES <= to; at += Integer.BYTES) {
            sum += (int) INT.get(data, at);
        }
        return sum * 31 + (to - from);
    }

    /// The same checksum as for an array. The buffer must be little-endian.
    static long sum(ByteBuffer data, int from, int to) {
        long sum = 0;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            sum += data.getLong(at);
        }
        for (; at + Integer.BYTES <= to; at += Integer.BYTES) {
            sum += data.getInt(at);
        }
        return sum * 31 + (to - from);
    }
}
