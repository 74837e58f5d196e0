package io.cleave.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A byte string under construction. Little-endian; variable-length numbers are unsigned LEB128.
public final class ByteWriter {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] data;
    private int length;

    public ByteWriter(int capacity) {
        data = new byte[capacity];
    }

    /// Sets eight bytes of an array that is still its owner's to write.
    public static void putLong(byte[] target, int offset, long value) {
        LONG.set(target, offset, value);
    }

    public int length() {
        return length;
    }

    public void putByte(byte value) {
        reserve(1);
        data[length++] = value;
    }

    public void putInt(int value) {
        reserve(Integer.BYTES);
        INT.set(data, length, value);
        length += Integer.BYTES;
    }

    public void putLong(long value) {
        reserve(Long.BYTES);
        LONG.set(data, length, value);
        length += Long.BYTES;
    }

    public void putVarLong(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            data[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        data[length++] = (byte) rest;
    }

    public void put(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, data, length, to - from);
        length += to - from;
    }

    /// The length, then the bytes.
    public void putBytes(Bytes bytes) {
        putVarLong(bytes.length());
        put(bytes.array(), 0, bytes.length());
    }

    /// As UTF-8, the length first.
    public void putText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        putVarLong(utf8.length);
        put(utf8, 0, utf8.length);
    }

    public byte[] toArray() {
        return Arrays.copyOf(data, length);
    }

    private void reserve(int more) {
        if (data.length - length < more) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + more));
        }
    }
}
