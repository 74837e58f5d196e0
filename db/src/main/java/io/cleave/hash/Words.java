package io.cleave.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Reads little-endian words at any offset of an array.
final class Words {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    static int int32(byte[] data, int at) {
        return (int) INTS.get(data, at);
    }

    static long int64(byte[] data, int at) {
        return (long) LONGS.get(data, at);
    }

    static void put64(byte[] data, int at, long word) {
        LONGS.set(data, at, word);
    }

    static long unsigned32(byte[] data, int at) {
        return Integer.toUnsignedLong(int32(data, at));
    }
}
