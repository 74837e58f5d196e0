package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;

import java.util.Arrays;

/// The blocks of one column family: their offsets, lengths and first row numbers.
///
/// ```
/// varint  number of blocks
/// each:
///   varint  gap      from the end of the block before to this one
///   varint  length   bytes of the block in the file
///   varint  rows
/// ```
final class FamilyIndex {
    final long[] offsets;
    final int[] lengths;

    /// The first row of each block, and as the last entry the number of all rows.
    final int[] firstRows;

    private FamilyIndex(int count) {
        offsets = new long[count];
        lengths = new int[count];
        firstRows = new int[count + 1];
    }

    int blockCount() {
        return lengths.length;
    }

    /// The block that has the row.
    int find(int row) {
        int low = 0;
        int high = lengths.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstRows[middle] <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /// The first block that begins with this row or a later one; the number of blocks if there is
    /// none.
    int firstFrom(int row) {
        int found = Arrays.binarySearch(firstRows, row);
        return Math.min(found < 0 ? -found - 1 : found, lengths.length);
    }

    /// The bytes must have passed their checksum.
    static FamilyIndex readFrom(ByteReader in) {
        int count = in.getVarInt();
        var index = new FamilyIndex(count);
        long end = 0;
        for (int block = 0; block < count; block++) {
            index.offsets[block] = end + in.getVarLong();
            index.lengths[block] = in.getVarInt();
            index.firstRows[block + 1] = index.firstRows[block] + in.getVarInt();
            end = index.offsets[block] + index.lengths[block];
        }
        return index;
    }

    /// Builds the index of a family while the table is written.
    static final class Writer {
        private final ByteWriter entries = new ByteWriter(1 << 8);
        private long end;
        private int count;

        void add(long offset, int length, int rows) {
            entries.putVarLong(offset - end);
            entries.putVarInt(length);
            entries.putVarInt(rows);
            end = offset + length;
            count++;
        }

        void writeTo(ByteWriter out) {
            out.putVarInt(count);
            out.put(entries.array(), 0, entries.length());
        }
    }
}
