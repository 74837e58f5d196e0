package io.cleave.lsm.memtable;

import io.cleave.base.Bytes;
import io.cleave.base.LittleEndian;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.Source;

import java.util.Arrays;

/// The versions of a [Memtable], in chunks of bytes. Each version is linked to the next older one
/// of its key. A version is identified by its place: the number of the chunk, and the offset in it.
///
/// ```
/// u64     timestamp
/// varint  2 × bytes of the change, + 1 if there is an older version
/// u64     place of the next older version, if there is one
/// the change
/// ```
///
/// Threads: one writer, any number of readers. A reader gets a place from [MemtableNodes] or from
/// the hash index. The writer publishes it there after it has written the version, so the accesses
/// here need no memory ordering.
final class MemtableVersions {
    static final long NONE = 0;

    private static final int PLACE_BITS = 20;
    private static final int ARRAY_HEADER_BYTES = 16;

    /// With its header, a chunk has 1 MiB, for the reason given in [MemtableNodes].
    private static final int CHUNK_BYTES = (1 << PLACE_BITS) - ARRAY_HEADER_BYTES;

    private static final int FIRST_CHUNK_BYTES = 1 << 9;

    /// The first chunk has no bytes, so that no version is at [#NONE].
    private byte[][] chunks = {new byte[0], new byte[0]};

    // Used only by the writer.
    private int chunkCount = 1;
    private int filled;
    private int filledBytes;

    private volatile long allocatedBytes;

    long allocatedBytes() {
        return allocatedBytes;
    }

    /// The size of a version in bytes.
    static int bytes(long older, Bytes change) {
        return Long.BYTES
                + LittleEndian.varIntBytes(head(older, change))
                + (older == NONE ? 0 : Long.BYTES)
                + change.length();
    }

    private static int head(long older, Bytes change) {
        return change.length() << 1 | (older == NONE ? 0 : 1);
    }

    long create(long timestamp, long older, Bytes change) {
        long place = allocate(bytes(older, change));
        byte[] chunk = chunk(place);
        int at = offset(place);
        LittleEndian.putLong(chunk, at, timestamp);
        at = LittleEndian.putVarInt(chunk, at + Long.BYTES, head(older, change));
        if (older != NONE) {
            LittleEndian.putLong(chunk, at, older);
            at += Long.BYTES;
        }
        System.arraycopy(change.array(), 0, chunk, at, change.length());
        return place;
    }

    private long allocate(int bytes) {
        int capacity = chunks[filled].length;
        if (capacity - filledBytes < bytes) {
            if (bytes > CHUNK_BYTES / 4) {
                return (long) addChunk(bytes) << PLACE_BITS;
            }
            int grown = Math.max(FIRST_CHUNK_BYTES, Math.min(4 * capacity, CHUNK_BYTES));
            filled = addChunk(Math.max(grown, bytes));
            filledBytes = 0;
        }
        long at = (long) filled << PLACE_BITS | filledBytes;
        filledBytes += bytes;
        return at;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private int addChunk(int bytes) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunkCount * 2);
        }
        chunks[chunkCount] = new byte[bytes];
        allocatedBytes += ARRAY_HEADER_BYTES + bytes;
        return chunkCount++;
    }

    byte[] chunk(long place) {
        return chunks[(int) (place >>> PLACE_BITS)];
    }

    static int offset(long place) {
        return (int) place & (1 << PLACE_BITS) - 1;
    }

    long timestamp(long place) {
        return timestamp(chunk(place), offset(place));
    }

    boolean isErase(long place) {
        byte[] chunk = chunk(place);
        int at = offset(place);
        return changeBytes(chunk, at) == RowChange.ERASE.length()
                && chunk[changeFrom(chunk, at)] == RowChange.Kind.ERASE.code;
    }

    /// The size of the version in bytes.
    int bytes(long place) {
        byte[] chunk = chunk(place);
        int at = offset(place);
        return changeFrom(chunk, at) + changeBytes(chunk, at) - at;
    }

    // These methods read the version at offset `at` of its chunk.

    static long timestamp(byte[] chunk, int at) {
        return LittleEndian.getLong(chunk, at);
    }

    static long older(byte[] chunk, int at) {
        int head = LittleEndian.getVarInt(chunk, at + Long.BYTES);
        int olderAt = at + Long.BYTES + LittleEndian.varIntBytes(head);
        return (head & 1) == 0 ? NONE : LittleEndian.getLong(chunk, olderAt);
    }

    static int changeFrom(byte[] chunk, int at) {
        int head = LittleEndian.getVarInt(chunk, at + Long.BYTES);
        int olderBytes = (head & 1) == 0 ? 0 : Long.BYTES;
        return at + Long.BYTES + LittleEndian.varIntBytes(head) + olderBytes;
    }

    static int changeBytes(byte[] chunk, int at) {
        return LittleEndian.getVarInt(chunk, at + Long.BYTES) >>> 1;
    }

    /// As [Source#mergeInto], starting with the version `newest`.
    boolean mergeInto(Row row, long newest, long snapshot, ReadWatch watch) {
        for (long place = newest; place != NONE; ) {
            byte[] chunk = chunk(place);
            int at = offset(place);
            long timestamp = timestamp(chunk, at);
            if (timestamp > snapshot) {
                watch.newerVersion();
            } else if (row.merge(timestamp, chunk, changeFrom(chunk, at))) {
                return true;
            }
            place = older(chunk, at);
        }
        return false;
    }

    /// The size in bytes of this version and all older ones.
    long chainBytes(long newest) {
        long bytes = 0;
        for (long place = newest; place != NONE; ) {
            byte[] chunk = chunk(place);
            int at = offset(place);
            bytes += changeFrom(chunk, at) + changeBytes(chunk, at) - at;
            place = older(chunk, at);
        }
        return bytes;
    }
}
