package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.Arrays;

/// Where the blocks of a table are and which keys they hold; all in arrays, for it stays in memory
/// while the table is open.
///
/// ```
/// varint  number of blocks
/// for each block, in order; they stand in the file one behind the other, from offset 0:
///   varint  shared    bytes its separator has in common with the one before
///   varint  rest      bytes of the separator that follow
///   varint  length    bytes of the block in the file
///   varint  keys << 1 | more   keys that begin in it; more: 1 if the versions of its last key
///                              go on in the next block
///   rest of the separator
/// ```
///
/// The separator is at least the last key of its block, and less than the first key of the next one
/// (or equal, where the versions of that key go on).
final class TableIndex {
    private final int count;
    private final long[] offsets;

    /// As encoded: number << 1 | more.
    private final int[] keys;

    private final byte[] separators;
    private final int[] separatorFrom;

    private TableIndex(
            int count, long[] offsets, int[] keys, byte[] separators, int[] separatorFrom) {
        this.count = count;
        this.offsets = offsets;
        this.keys = keys;
        this.separators = separators;
        this.separatorFrom = separatorFrom;
    }

    int blockCount() {
        return count;
    }

    long offset(int block) {
        return offsets[block];
    }

    int length(int block) {
        return (int) (offsets[block + 1] - offsets[block]);
    }

    /// Keys that begin in the block.
    int keyCount(int block) {
        return keys[block] >>> 1;
    }

    /// The first block that can hold a key of at least `key`; the number of blocks if none can.
    int find(Bytes key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order =
                    Arrays.compareUnsigned(
                            separators,
                            separatorFrom[middle],
                            separatorFrom[middle + 1],
                            key.array(),
                            0,
                            key.length());
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Whether the next block begins with older versions of this one's last key.
    boolean goesOnBehind(int block) {
        return (keys[block] & 1) != 0;
    }

    /// The bytes must have passed their checksum.
    static TableIndex decode(byte[] encoded) {
        int count = Varint.readInt(encoded, 0);
        int at = Varint.bytes(count);
        long[] offsets = new long[count + 1];
        int[] keys = new int[count];
        int[] separatorFrom = new int[count + 1];
        var separators = new Output(encoded.length * 2);
        for (int block = 0; block < count; block++) {
            int shared = Varint.readInt(encoded, at);
            at += Varint.bytes(shared);
            int rest = Varint.readInt(encoded, at);
            at += Varint.bytes(rest);
            int length = Varint.readInt(encoded, at);
            at += Varint.bytes(length);
            keys[block] = Varint.readInt(encoded, at);
            at += Varint.bytes(keys[block]);
            offsets[block + 1] = offsets[block] + length;
            int before = block == 0 ? 0 : separatorFrom[block - 1];
            separators.put(separators.array(), before, before + shared);
            separators.put(encoded, at, at + rest);
            at += rest;
            separatorFrom[block + 1] = separators.length();
        }
        byte[] all = Arrays.copyOf(separators.array(), separators.length());
        return new TableIndex(count, offsets, keys, all, separatorFrom);
    }

    /// Collects the index of a table being written.
    static final class Writer {
        private final Output entries = new Output(1 << 10);
        private byte[] before = Bytes.EMPTY.array();
        private int count;

        void add(byte[] separator, int length, int keyCount, boolean goesOn) {
            int mismatch = Arrays.mismatch(before, separator);
            int shared = mismatch < 0 ? separator.length : mismatch;
            entries.putVarint(shared).putVarint(separator.length - shared);
            entries.putVarint(length).putVarint(keyCount << 1 | (goesOn ? 1 : 0));
            entries.put(separator, shared, separator.length);
            before = separator;
            count++;
        }

        Output finish() {
            return new Output(entries.length() + Varint.MAX_INT_BYTES)
                    .putVarint(count)
                    .put(entries.array(), 0, entries.length());
        }
    }
}
