package io.cleave.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Reads and writes little-endian numbers at any offset of an array. Variable-length numbers are
/// unsigned LEB128: seven bits in each byte, the high bit set on all but the last byte.
///
/// Reading a variable-length number returns only the number. To find the next one, add
/// [#varIntBytes] of the number to the offset.
public final class LittleEndian {
    public static final int MAX_VAR_INT_BYTES = 5;

    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /// Reads an unsigned number.
    public static int getShort(byte[] data, int from) {
        return (short) SHORT.get(data, from) & 0xFFFF;
    }

    public static int getInt(byte[] data, int from) {
        return (int) INT.get(data, from);
    }

    public static long getLong(byte[] data, int from) {
        return (long) LONG.get(data, from);
    }

    public static void putShort(byte[] data, int from, int value) {
        SHORT.set(data, from, (short) value);
    }

    public static void putInt(byte[] data, int from, int value) {
        INT.set(data, from, value);
    }

    public static void putLong(byte[] data, int from, long value) {
        LONG.set(data, from, value);
    }

    public static int getVarInt(byte[] data, int from) {
        int first = data[from];
        return first >= 0 ? first : getLongVarInt(data, from);
    }

    private static int getLongVarInt(byte[] data, int from) {
        int result = data[from] & 0x7F;
        int shift = 7;
        int at = from + 1;
        while (data[at] < 0) {
            result |= (data[at++] & 0x7F) << shift;
            shift += 7;
        }
        return result | data[at] << shift;
    }

    /// Returns the offset after the number.
    public static int putVarInt(byte[] data, int from, int value) {
        int at = from;
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            data[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        data[at++] = (byte) rest;
        return at;
    }

    public static int varIntBytes(int value) {
        return value >>> 7 == 0 ? 1 : (31 - Integer.numberOfLeadingZeros(value)) / 7 + 1;
    }

    public static long getVarLong(byte[] data, int from) {
        long result = 0;
        int shift = 0;
        int at = from;
        while (data[at] < 0) {
            result |= (long) (data[at++] & 0x7F) << shift;
            shift += 7;
        }
        return result | (long) data[at] << shift;
    }

    public static int varLongBytes(long value) {
        return value >>> 7 == 0 ? 1 : (63 - Long.numberOfLeadingZeros(value)) / 7 + 1;
    }
}
