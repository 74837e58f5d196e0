package io.cleave.bookkeeper;

import io.cleave.base.CorruptionException;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Maps the bytes of a blob to the entries of its ledger. It is the last entry of the ledger,
/// big-endian.
///
/// ```
///  0  u8   format    1
///  1  u32  count     data entries before this one
///  5  u32  bytes     of each of them, in order
/// ```
///
/// BookKeeper gives each entry a checksum, so there is none here.
final class EntryIndex {
    private static final byte FORMAT = 1;
    private static final int HEADER_BYTES = 1 + Integer.BYTES;

    /// The offset of each entry in the blob, followed by the end of the last one.
    private final long[] offsets;

    private EntryIndex(long[] offsets) {
        this.offsets = offsets;
    }

    /// The index of entries with these lengths.
    static EntryIndex of(int[] entryBytes, int count) {
        long[] offsets = new long[count + 1];
        for (int entry = 0; entry < count; entry++) {
            offsets[entry + 1] = offsets[entry] + entryBytes[entry];
        }
        return new EntryIndex(offsets);
    }

    static EntryIndex decode(String name, ByteBuffer bytes) {
        try {
            byte format = bytes.get();
            if (format != FORMAT) {
                throw new CorruptionException(name, 0, "index format " + format + " is not known");
            }
            int count = bytes.getInt();
            if (count < 0 || bytes.remaining() != count * (long) Integer.BYTES) {
                throw new CorruptionException(name, 0, "an index of " + count + " entries");
            }
            int[] entryBytes = new int[count];
            for (int entry = 0; entry < count; entry++) {
                entryBytes[entry] = bytes.getInt();
                if (entryBytes[entry] <= 0) {
                    throw new CorruptionException(
                            name, 0, "entry %d of %d bytes".formatted(entry, entryBytes[entry]));
                }
            }
            return of(entryBytes, count);
        } catch (BufferUnderflowException e) {
            var corrupt = new CorruptionException(name, 0, "the index is too short");
            corrupt.initCause(e);
            throw corrupt;
        }
    }

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES * count());
        bytes.put(FORMAT).putInt(count());
        for (int entry = 0; entry < count(); entry++) {
            bytes.putInt((int) (offsets[entry + 1] - offsets[entry]));
        }
        return bytes.array();
    }

    int count() {
        return offsets.length - 1;
    }

    /// The size of the blob.
    long size() {
        return offsets[count()];
    }

    long offset(int entry) {
        return offsets[entry];
    }

    int bytes(int entry) {
        return (int) (offsets[entry + 1] - offsets[entry]);
    }

    /// The entry with the byte at this offset, which must lie in the blob.
    int entryAt(long offset) {
        int found = Arrays.binarySearch(offsets, offset);
        return found >= 0 ? found : -found - 2;
    }
}
