package io.cleave.base;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Builds a byte string. Little-endian; variable-length numbers are unsigned LEB128.
public final class ByteWriter {
    private byte[] data;
    private int length;

    public ByteWriter(int capacity) {
        data = new byte[capacity];
    }

    /// Writes eight bytes into an array.
    public static void putLong(byte[] target, int offset, long value) {
        LittleEndian.putLong(target, offset, value);
    }

    public int length() {
        return length;
    }

    /// The internal array; the written bytes are `[0, length)`. Valid until more is written.
    public byte[] array() {
        return data;
    }

    /// Starts again with the same array.
    public void clear() {
        length = 0;
    }

    public void putByte(int value) {
        reserve(1);
        data[length++] = (byte) value;
    }

    public void putShort(int value) {
        reserve(Short.BYTES);
        LittleEndian.putShort(data, length, value);
        length += Short.BYTES;
    }

    public void putInt(int value) {
        reserve(Integer.BYTES);
        LittleEndian.putInt(data, length, value);
        length += Integer.BYTES;
    }

    public void putLong(long value) {
        reserve(Long.BYTES);
        LittleEndian.putLong(data, length, value);
        length += Long.BYTES;
    }

    public void putVarInt(int value) {
        reserve(LittleEndian.MAX_VAR_INT_BYTES);
        length = LittleEndian.putVarInt(data, length, value);
    }

    public void putVarLong(long value) {
        reserve(10);
        // The fields are not written for each byte: this runs for each number of a result.
        byte[] target = data;
        int at = length;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        length = at;
    }

    public void put(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, data, length, to - from);
        length += to - from;
    }

    /// Writes the length, then the bytes.
    public void putBytes(Bytes bytes) {
        putVarLong(bytes.length());
        put(bytes.array(), 0, bytes.length());
    }

    /// Writes the text as UTF-8, after its length in bytes.
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
