package io.cleave.lsm.row;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// Erases all keys in `[from, to)` at `timestamp`: a snapshot at `timestamp` or later does not see
/// versions up to `timestamp`.
///
/// @param to null: no upper bound
public record RangeErase(Bytes from, @Nullable Bytes to, long timestamp) {
    boolean covers(byte[] key, int keyBytes) {
        return Keys.compare(from.array(), 0, from.length(), key, 0, keyBytes) <= 0
                && (to == null || Keys.compare(key, 0, keyBytes, to.array(), 0, to.length()) < 0);
    }

    /// Whether all keys in `[otherFrom, otherTo)` are in the range.
    public boolean covers(Bytes otherFrom, @Nullable Bytes otherTo) {
        return from.compareTo(otherFrom) <= 0
                && (to == null || (otherTo != null && otherTo.compareTo(to) <= 0));
    }

    public void writeTo(ByteWriter out) {
        out.putBytes(from);
        out.putByte((byte) (to == null ? 0 : 1));
        if (to != null) {
            out.putBytes(to);
        }
        out.putLong(timestamp);
    }

    /// Does not check for damage: the caller must have verified the checksum of the bytes.
    public static RangeErase readFrom(ByteReader in) {
        return new RangeErase(
                in.getBytes(), in.getByte() == 0 ? null : in.getBytes(), in.getLong());
    }
}
