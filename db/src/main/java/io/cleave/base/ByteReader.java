package io.cleave.base;

import java.nio.charset.StandardCharsets;

/// Reads what a [ByteWriter] has written. Bytes that end too early are an
/// `IndexOutOfBoundsException`; the checksum of bytes from a disk must be verified first.
public final class ByteReader {
    private final byte[] data;
    private final int to;
    private int offset;

    public ByteReader(byte[] data, int from, int to) {
        this.data = data;
        this.to = to;
        offset = from;
    }

    public int offset() {
        return offset;
    }

    public void skip(int bytes) {
        need(bytes);
        offset += bytes;
    }

    public int remaining() {
        return to - offset;
    }

    public boolean hasMore() {
        return offset < to;
    }

    public byte getByte() {
        need(1);
        return data[offset++];
    }

    /// The byte that [#getByte] returns next.
    public byte peekByte() {
        need(1);
        return data[offset];
    }

    public int getInt() {
        need(Integer.BYTES);
        int value = LittleEndian.getInt(data, offset);
        offset += Integer.BYTES;
        return value;
    }

    public long getLong() {
        need(Long.BYTES);
        long value = LittleEndian.getLong(data, offset);
        offset += Long.BYTES;
        return value;
    }

    public int getVarInt() {
        return (int) getVarLong();
    }

    public long getVarLong() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = getByte();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IndexOutOfBoundsException("a number of more than ten bytes at " + offset);
    }

    public Bytes getBytes() {
        int length = length();
        Bytes bytes = Bytes.copyOf(data, offset, offset + length);
        offset += length;
        return bytes;
    }

    public String getText() {
        int length = length();
        var text = new String(data, offset, length, StandardCharsets.UTF_8);
        offset += length;
        return text;
    }

    private int length() {
        long length = getVarLong();
        if (length < 0 || length > to - offset) {
            throw new IndexOutOfBoundsException(length + " bytes at " + offset + " of " + to);
        }
        return (int) length;
    }

    private void need(int bytes) {
        if (to - offset < bytes) {
            throw new IndexOutOfBoundsException(bytes + " bytes at " + offset + " of " + to);
        }
    }
}
