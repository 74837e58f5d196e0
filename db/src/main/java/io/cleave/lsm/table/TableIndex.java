package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// The blocks of a table: their positions and keys. Everything is in arrays, because the index
/// stays in memory while the table is open.
///
/// ```
/// varint  number of key blocks
/// each:
///   varint  shared    bytes its separator has in common with the one before
///   varint  rest      bytes of the separator that follow
///   varint  gap       from the end of the key block before to this one
///   varint  length    bytes of the block in the file
///   varint  rows << 1 | more   entries in it; more: 1 if versions of its last key continue in the
///                              next block
///   rest of the separator
/// varint  number of column families stored apart from the keys: 0, or all of them
/// each: see FamilyIndex
/// ```
///
/// The separator is at least the last key of its block, and less than the first key of the next
/// block. If the versions of the last key continue in the next block, it is equal to that key.
public final class TableIndex {
    private final KeySearch separators;
    private final long[] offsets;
    private final int[] lengths;
    private final int[] firstRows;
    private final BitSet more;
    private final List<FamilyIndex> families;

    private TableIndex(
            KeySearch separators,
            long[] offsets,
            int[] lengths,
            int[] firstRows,
            BitSet more,
            List<FamilyIndex> families) {
        this.separators = separators;
        this.offsets = offsets;
        this.lengths = lengths;
        this.firstRows = firstRows;
        this.more = more;
        this.families = families;
    }

    /// The number of key blocks.
    public int blockCount() {
        return lengths.length;
    }

    long offset(int block) {
        return offsets[block];
    }

    int length(int block) {
        return lengths[block];
    }

    /// The number of entries in the blocks before.
    public int firstRow(int block) {
        return firstRows[block];
    }

    int rows() {
        return firstRows[lengths.length];
    }

    /// Empty if the fields are stored with the keys.
    List<FamilyIndex> families() {
        return families;
    }

    /// The first block that may have a key of at least `key`; the number of blocks if there is
    /// none.
    public int find(byte[] key, int keyBytes) {
        return separators.firstNotBefore(key, keyBytes);
    }

    /// Whether the next block begins with older versions of this block's last key.
    boolean goesOnBehind(int block) {
        return more.get(block);
    }

    /// The bytes must have passed their checksum.
    static TableIndex decode(byte[] encoded) {
        var in = new ByteReader(encoded, 0, encoded.length);
        int count = in.getVarInt();
        long[] offsets = new long[count];
        int[] lengths = new int[count];
        int[] firstRows = new int[count + 1];
        var more = new BitSet(count);
        int[] separatorFrom = new int[count + 1];
        var separators = new ByteWriter(encoded.length * 2);
        long end = 0;
        for (int block = 0; block < count; block++) {
            int shared = in.getVarInt();
            int rest = in.getVarInt();
            offsets[block] = end + in.getVarLong();
            lengths[block] = in.getVarInt();
            int rows = in.getVarInt();
            end = offsets[block] + lengths[block];
            firstRows[block + 1] = firstRows[block] + (rows >>> 1);
            more.set(block, (rows & 1) != 0);
            int before = block == 0 ? 0 : separatorFrom[block - 1];
            separators.put(separators.array(), before, before + shared);
            separators.put(encoded, in.offset(), in.offset() + rest);
            in.skip(rest);
            separatorFrom[block + 1] = separators.length();
        }
        int familyCount = in.getVarInt();
        List<FamilyIndex> families = new ArrayList<>();
        for (int family = 0; family < familyCount; family++) {
            families.add(FamilyIndex.readFrom(in));
        }
        return new TableIndex(
                new KeySearch(separators.toArray(), separatorFrom),
                offsets,
                lengths,
                firstRows,
                more,
                List.copyOf(families));
    }

    /// Builds the key block index of a table while the table is written.
    static final class Writer {
        private final ByteWriter entries = new ByteWriter(1 << 10);
        private byte[] before = Bytes.EMPTY.array();
        private long end;
        private int count;

        void add(byte[] separator, long offset, int length, int rows, boolean goesOn) {
            int mismatch = Arrays.mismatch(before, separator);
            int shared = mismatch < 0 ? separator.length : mismatch;
            entries.putVarInt(shared);
            entries.putVarInt(separator.length - shared);
            entries.putVarLong(offset - end);
            entries.putVarInt(length);
            entries.putVarInt((rows << 1) | (goesOn ? 1 : 0));
            entries.put(separator, shared, separator.length);
            before = separator;
            end = offset + length;
            count++;
        }

        ByteWriter finish(List<FamilyIndex.Writer> families) {
            var out = new ByteWriter(entries.length() + 64);
            out.putVarInt(count);
            out.put(entries.array(), 0, entries.length());
            out.putVarInt(families.size());
            families.forEach(family -> family.writeTo(out));
            return out;
        }
    }
}
