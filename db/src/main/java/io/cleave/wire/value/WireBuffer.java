package io.cleave.wire.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A buffer in which a protobuf message is written. It keeps room at the front: the tag and length
/// of an enclosing field can be put before the content once its length is known.
///
/// Threads: one.
public final class WireBuffer {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;
    private static final int TYPE_BITS = 3;

    private static final int MAX_VARINT_BYTES = 10;

    /// The tag of a field below 16, and the longest length.
    private static final int FRONT_BYTES = 1 + 5;

    private byte[] data;
    private int from = FRONT_BYTES;
    private int to = FRONT_BYTES;

    WireBuffer(int expectedBytes) {
        data = new byte[FRONT_BYTES + expectedBytes];
    }

    public byte[] array() {
        return data;
    }

    public int from() {
        return from;
    }

    public int length() {
        return to - from;
    }

    static int varintBytes(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
        return (bits + 6) / 7;
    }

    void varintField(int field, long value) {
        makeRoom(2 * MAX_VARINT_BYTES);
        to = putVarint(to, tag(field, VARINT));
        to = putVarint(to, value);
    }

    void fixed32Field(int field, int value) {
        makeRoom(MAX_VARINT_BYTES + Integer.BYTES);
        to = putVarint(to, tag(field, FIXED32));
        INTS.set(data, to, value);
        to += Integer.BYTES;
    }

    void fixed64Field(int field, long value) {
        makeRoom(MAX_VARINT_BYTES + Long.BYTES);
        to = putVarint(to, tag(field, FIXED64));
        LONGS.set(data, to, value);
        to += Long.BYTES;
    }

    /// Writes tag and length of a message or of bytes, which follow.
    void lengthField(int field, int bytes) {
        makeRoom(2 * MAX_VARINT_BYTES);
        to = putVarint(to, tag(field, LENGTH_DELIMITED));
        to = putVarint(to, bytes);
    }

    void bytesField(int field, byte[] bytes) {
        lengthField(field, bytes.length);
        append(bytes, 0, bytes.length);
    }

    public void append(byte[] bytes, int at, int length) {
        makeRoom(length);
        System.arraycopy(bytes, at, data, to, length);
        to += length;
    }

    /// Begins a field whose length is not known yet, and returns where it begins. `headBytes` is
    /// the room for tag and length, as [#headBytes] returns it for the expected length.
    int open(int headBytes) {
        makeRoom(headBytes);
        int at = to;
        to += headBytes;
        return at;
    }

    /// Closes an open field and returns its length. The field number must be below 16.
    int close(int field, int at, int headBytes) {
        int length = to - at - headBytes;
        int needed = headBytes(length);
        if (needed != headBytes) {
            makeRoom(Math.max(0, needed - headBytes));
            System.arraycopy(data, at + headBytes, data, at + needed, length);
            to = at + needed + length;
        }
        putVarint(putVarint(at, tag(field, LENGTH_DELIMITED)), length);
        return length;
    }

    /// Removes what was written since a field was opened, and returns it without its head.
    byte[] cut(int at, int headBytes) {
        byte[] rest = Arrays.copyOfRange(data, at + headBytes, to);
        to = at;
        return rest;
    }

    static int headBytes(int length) {
        return 1 + varintBytes(length);
    }

    /// Makes everything written so far the content of this field, whose number is below 16. Call at
    /// most once for a buffer.
    public void enclose(int field) {
        int length = length();
        from -= 1 + varintBytes(length);
        int end = putVarint(from, tag(field, LENGTH_DELIMITED));
        putVarint(end, length);
    }

    private static long tag(int field, int type) {
        return (long) field << TYPE_BITS | type;
    }

    private int putVarint(int at, long value) {
        int place = at;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            data[place++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        data[place++] = (byte) rest;
        return place;
    }

    private void makeRoom(int bytes) {
        if (data.length - to < bytes) {
            data = Arrays.copyOf(data, Math.max(2 * data.length, to + bytes));
        }
    }
}
