package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A growing array to encode into. Fixed-size numbers are little-endian.
final class Output {
    static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] data;
    private int length;

    Output(int capacity) {
        data = new byte[capacity];
    }

    int length() {
        return length;
    }

    byte[] array() {
        return data;
    }

    void clear() {
        length = 0;
    }

    Output putByte(int value) {
        reserve(1);
        data[length++] = (byte) value;
        return this;
    }

    Output putInt(int value) {
        reserve(4);
        INT.set(data, length, value);
        length += 4;
        return this;
    }

    Output putLong(long value) {
        reserve(8);
        LONG.set(data, length, value);
        length += 8;
        return this;
    }

    Output putVarint(int value) {
        reserve(Varint.MAX_INT_BYTES);
        length = Varint.writeInt(data, length, value);
        return this;
    }

    Output put(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, data, length, to - from);
        length += to - from;
        return this;
    }

    Bytes toBytes() {
        return Bytes.copyOf(data, 0, length);
    }

    private void reserve(int bytes) {
        if (data.length - length < bytes) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + bytes));
        }
    }
}
