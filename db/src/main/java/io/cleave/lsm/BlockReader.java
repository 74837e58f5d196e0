package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.Arrays;

/// A place in one data block; [BlockWriter] draws it. The fields are the entry at that place.
///
/// Going over an entry copies the part of its key that differs, and makes no object.
final class BlockReader {
    byte[] key = new byte[64];
    int keyBytes;
    long timestamp;
    int changeFrom;
    int changeTo;

    /// An older version of the key of the entry before.
    boolean sameKey;

    private byte[] block = Bytes.EMPTY.array();
    private int entriesTo;
    private int restartCount;
    private int entryFrom;

    void open(byte[] bytes) {
        block = bytes;
        restartCount = (int) Output.INT.get(bytes, bytes.length - 4);
        entriesTo = bytes.length - 4 - 4 * restartCount;
    }

    byte[] block() {
        return block;
    }

    /// Where the current entry stands.
    int entryFrom() {
        return entryFrom;
    }

    int entriesTo() {
        return entriesTo;
    }

    boolean first() {
        return begin(0);
    }

    boolean next() {
        return decode(changeTo);
    }

    boolean isLast() {
        return changeTo >= entriesTo;
    }

    /// Looks at the next entry without moving: the key of this one stays as it is.
    boolean nextIsSameKey() {
        return (block[changeTo] & 1) != 0;
    }

    /// To the first entry whose key is at least `bound`; false if there is none in this block.
    boolean seek(Bytes bound) {
        int low = 0;
        int high = restartCount - 1;
        // The last restart point before the bound, or the first one.
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (compareRestart(middle, bound) < 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        boolean any = begin(restartOffset(low));
        byte[] wanted = bound.array();
        while (any && Arrays.compareUnsigned(key, 0, keyBytes, wanted, 0, wanted.length) < 0) {
            any = next();
        }
        return any;
    }

    /// To the newest version, in this block, of the last key that stands before `offset`.
    boolean lastKeyBefore(int offset) {
        if (offset == 0) {
            return false;
        }
        int restart = restartCount - 1;
        while (restartOffset(restart) >= offset) {
            restart--;
        }
        boolean any = begin(restartOffset(restart));
        int newest = entryFrom;
        while (any && changeTo < offset) {
            any = next();
            if (!sameKey) {
                newest = entryFrom;
            }
        }
        // All versions from `newest` on share the key, which stays; the rest is read again.
        decodeVersion(newest);
        return true;
    }

    private boolean begin(int restartOffset) {
        keyBytes = 0;
        return decode(restartOffset);
    }

    private boolean decode(int offset) {
        if (offset >= entriesTo) {
            return false;
        }
        entryFrom = offset;
        int at = offset;
        int tag = Varint.readInt(block, at);
        at += Varint.bytes(tag);
        int rest = Varint.readInt(block, at);
        at += Varint.bytes(rest);
        int changeBytes = Varint.readInt(block, at);
        at += Varint.bytes(changeBytes);
        timestamp = (long) Output.LONG.get(block, at);
        at += 8;
        int shared = tag >>> 1;
        sameKey = (tag & 1) != 0;
        keyBytes = shared + rest;
        if (key.length < keyBytes) {
            key = Arrays.copyOf(key, keyBytes * 2);
        }
        System.arraycopy(block, at, key, shared, rest);
        changeFrom = at + rest;
        changeTo = changeFrom + changeBytes;
        return true;
    }

    private void decodeVersion(int offset) {
        if (offset != entryFrom) {
            int knownBytes = keyBytes;
            decode(offset);
            keyBytes = knownBytes;
        }
    }

    private int compareRestart(int restart, Bytes bound) {
        int at = restartOffset(restart);
        at += Varint.bytes(Varint.readInt(block, at));
        int rest = Varint.readInt(block, at);
        at += Varint.bytes(rest);
        at += Varint.bytes(Varint.readInt(block, at)) + 8;
        return Arrays.compareUnsigned(block, at, at + rest, bound.array(), 0, bound.length());
    }

    private int restartOffset(int restart) {
        return (int) Output.INT.get(block, entriesTo + 4 * restart);
    }
}
