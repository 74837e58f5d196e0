package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// The keys `[from, to)` of one table, as part of a tree. Several trees may hold slices of the same
/// table; bytes and rows are then shares of the whole.
///
/// @param level 0 for what was flushed; the higher, the older
/// @param generation of the newest memtable in it; on level 0 it says which slice is newer
/// @param to null: no upper bound
public record Slice(
        long blobId,
        int level,
        long generation,
        Bytes from,
        @Nullable Bytes to,
        long bytes,
        long rows,
        long minTimestamp,
        long maxTimestamp) {
    private static final int FORMAT = 1;

    public Slice {
        Check.that(level >= 0 && level <= LsmOptions.LAST_LEVEL, "level %d", level);
        Check.that(to == null || from.compareTo(to) < 0, "%s is not before %s", from, to);
    }

    Slice atLevel(int other) {
        return new Slice(
                blobId, other, generation, from, to, bytes, rows, minTimestamp, maxTimestamp);
    }

    boolean contains(Bytes key) {
        return from.compareTo(key) <= 0 && (to == null || key.compareTo(to) < 0);
    }

    boolean overlaps(Bytes otherFrom, @Nullable Bytes otherTo) {
        return (to == null || otherFrom.compareTo(to) < 0)
                && (otherTo == null || from.compareTo(otherTo) < 0);
    }

    boolean overlaps(Slice other) {
        return overlaps(other.from, other.to);
    }

    public void writeTo(DataOutput out) throws IOException {
        out.writeByte(FORMAT);
        out.writeLong(blobId);
        out.writeByte(level);
        out.writeLong(generation);
        writeBytes(out, from);
        out.writeBoolean(to != null);
        if (to != null) {
            writeBytes(out, to);
        }
        out.writeLong(bytes);
        out.writeLong(rows);
        out.writeLong(minTimestamp);
        out.writeLong(maxTimestamp);
    }

    /// The bytes are expected to be right: whoever stored them kept a checksum.
    public static Slice readFrom(DataInput in) throws IOException {
        int format = in.readUnsignedByte();
        if (format != FORMAT) {
            throw new IOException("a slice of format " + format);
        }
        return new Slice(
                in.readLong(),
                in.readUnsignedByte(),
                in.readLong(),
                readBytes(in),
                in.readBoolean() ? readBytes(in) : null,
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    private static void writeBytes(DataOutput out, Bytes bytes) throws IOException {
        out.writeInt(bytes.length());
        out.write(bytes.array());
    }

    private static Bytes readBytes(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return Bytes.wrap(bytes);
    }
}
