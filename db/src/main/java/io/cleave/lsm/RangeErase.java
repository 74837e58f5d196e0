package io.cleave.lsm;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// Erases what keys in `[from, to)` had at `timestamp`: versions up to it are not seen by snapshots
/// from it on.
///
/// @param to null: no upper bound
public record RangeErase(Bytes from, @Nullable Bytes to, long timestamp) {
    boolean covers(byte[] key, int keyBytes) {
        return Keys.compare(from.array(), 0, from.length(), key, 0, keyBytes) <= 0
                && (to == null || Keys.compare(key, 0, keyBytes, to.array(), 0, to.length()) < 0);
    }

    /// Whether all keys of the slice are in the range.
    boolean covers(Slice slice) {
        Bytes sliceTo = slice.to();
        return from.compareTo(slice.from()) <= 0
                && (to == null || (sliceTo != null && sliceTo.compareTo(to) <= 0));
    }

    /// Whether the slice may hold a version that this erases.
    boolean concerns(Slice slice) {
        return slice.overlaps(from, to)
                && slice.minTimestamp() <= timestamp
                && slice.erasedThrough() < timestamp;
    }

    public void writeTo(ByteWriter out) {
        out.putBytes(from);
        out.putByte((byte) (to == null ? 0 : 1));
        if (to != null) {
            out.putBytes(to);
        }
        out.putLong(timestamp);
    }

    /// The bytes are expected to be right: whoever stored them kept a checksum.
    public static RangeErase readFrom(ByteReader in) {
        return new RangeErase(
                in.getBytes(), in.getByte() == 0 ? null : in.getBytes(), in.getLong());
    }
}
