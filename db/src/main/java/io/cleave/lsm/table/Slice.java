package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.row.RangeErases;

import org.jspecify.annotations.Nullable;

/// The keys `[from, to)` of one table, as part of a tree. Several trees may have slices of the same
/// table; `bytes` and `rows` are then shares of the whole.
///
/// @param level 0 for flushed tables; a higher level has older versions
/// @param generation of the newest memtable in it; on level 0 it tells which slice is newer
/// @param to null: no upper bound
/// @param erasedThrough versions hidden by range erases up to this timestamp were left out when the
///   table was written
/// @param ingestedAt the timestamp of all its versions if the table was bulk-loaded, since the
///   table was written before the timestamp was known; [RangeErases#NEVER] if each version has its
///   own timestamp
/// @param identity of the whole table; null if the slice was recorded before tables had identities
public record Slice(
        long blobId,
        int level,
        long generation,
        Bytes from,
        @Nullable Bytes to,
        long bytes,
        long rows,
        long minTimestamp,
        long maxTimestamp,
        long erasedThrough,
        long ingestedAt,
        @Nullable TableIdentity identity) {
    /// Format 2 had no identity. It is still written for a slice without an identity.
    private static final byte OLD_FORMAT = 2;

    private static final byte FORMAT = 3;

    /// A slice without range erases, bulk load or identity.
    public Slice(
            long blobId,
            int level,
            long generation,
            Bytes from,
            @Nullable Bytes to,
            long bytes,
            long rows,
            long minTimestamp,
            long maxTimestamp) {
        this(
                blobId,
                level,
                generation,
                from,
                to,
                bytes,
                rows,
                minTimestamp,
                maxTimestamp,
                RangeErases.NEVER,
                RangeErases.NEVER,
                null);
    }

    public Slice {
        Check.that(level >= 0 && level <= LsmOptions.LAST_LEVEL, "level %d", level);
        Check.that(to == null || from.compareTo(to) < 0, from + " is not before " + to);
    }

    /// This slice of a bulk load with its final level, generation and timestamp.
    public Slice ingested(int atLevel, long inGeneration, long timestamp) {
        return new Slice(
                blobId,
                atLevel,
                inGeneration,
                from,
                to,
                bytes,
                rows,
                timestamp,
                timestamp,
                RangeErases.NEVER,
                timestamp,
                identity);
    }

    public Slice atLevel(int other) {
        return new Slice(
                blobId,
                other,
                generation,
                from,
                to,
                bytes,
                rows,
                minTimestamp,
                maxTimestamp,
                erasedThrough,
                ingestedAt,
                identity);
    }

    /// The part within a range that overlaps this slice. `table` is the histogram of the whole
    /// table, from which rows and bytes are estimated.
    public Slice within(Bytes otherFrom, @Nullable Bytes otherTo, KeyHistogram table) {
        Bytes newFrom = Keys.later(from, otherFrom);
        Bytes newTo = Keys.earlier(to, otherTo);
        KeyHistogram whole = table.within(from, to);
        KeyHistogram part = whole.within(newFrom, newTo);
        return new Slice(
                blobId,
                level,
                generation,
                newFrom,
                newTo,
                share(bytes, part.bytes(), whole.bytes()),
                share(rows, part.rows(), whole.rows()),
                minTimestamp,
                maxTimestamp,
                erasedThrough,
                ingestedAt,
                identity);
    }

    private static long share(long all, long part, long whole) {
        return part == whole ? all : (long) ((double) all * part / whole);
    }

    boolean contains(Bytes key) {
        return from.compareTo(key) <= 0 && (to == null || key.compareTo(to) < 0);
    }

    public boolean overlaps(Bytes otherFrom, @Nullable Bytes otherTo) {
        return (to == null || otherFrom.compareTo(to) < 0)
                && (otherTo == null || from.compareTo(otherTo) < 0);
    }

    public boolean overlaps(Slice other) {
        return overlaps(other.from, other.to);
    }

    /// Whether one of the erases hides all versions of the slice.
    public boolean isHiddenBy(RangeErases erases) {
        return erases.all().stream()
                .anyMatch(erase -> maxTimestamp <= erase.timestamp() && erase.covers(from, to));
    }

    /// Whether the slice may hold a version that one of the erases hides.
    public boolean isConcernedBy(RangeErases erases) {
        return erases.all().stream().anyMatch(this::isConcernedBy);
    }

    /// Whether the slice may hold a version that the erase hides.
    public boolean isConcernedBy(RangeErase erase) {
        return overlaps(erase.from(), erase.to())
                && minTimestamp <= erase.timestamp()
                && erasedThrough < erase.timestamp();
    }

    public void writeTo(ByteWriter out) {
        out.putByte(identity == null ? OLD_FORMAT : FORMAT);
        out.putVarLong(blobId);
        out.putVarLong(level);
        out.putVarLong(generation);
        out.putBytes(from);
        out.putByte((byte) (to == null ? 0 : 1));
        if (to != null) {
            out.putBytes(to);
        }
        out.putVarLong(bytes);
        out.putVarLong(rows);
        out.putLong(minTimestamp);
        out.putLong(maxTimestamp);
        out.putLong(erasedThrough);
        out.putLong(ingestedAt);
        if (identity != null) {
            identity.writeTo(out);
        }
    }

    /// Does not check for damage: the caller must have verified the checksum of the bytes.
    public static Slice readFrom(ByteReader in) {
        byte format = in.getByte();
        Check.that(format == FORMAT || format == OLD_FORMAT, "a slice of format %d", format);
        return new Slice(
                in.getVarLong(),
                (int) in.getVarLong(),
                in.getVarLong(),
                in.getBytes(),
                in.getByte() == 0 ? null : in.getBytes(),
                in.getVarLong(),
                in.getVarLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                format == OLD_FORMAT ? null : TableIdentity.readFrom(in));
    }
}
