package io.cleave.lsm.table;

import io.cleave.base.Bytes;
import io.cleave.base.LittleEndian;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// A position in one [KeyBlock]. The fields show the entry at that position.
///
/// A move to the next entry copies only the part of the key that differs, and allocates nothing.
final class KeyCursor {
    byte[] key = new byte[64];
    int keyBytes;
    long timestamp;

    /// See [RowChange.Kind#code].
    int kind;

    /// The number of the entry in the block.
    int row;

    /// Whether the entry is an older version of the key of the entry before.
    boolean sameKey;

    private @Nullable KeyBlock block;
    private byte[] bytes = Bytes.EMPTY.array();
    private int entriesTo;
    private int entryFrom;
    private int entryTo;

    void open(KeyBlock opened) {
        block = opened;
        bytes = opened.bytes;
        entriesTo = opened.entriesTo;
    }

    private KeyBlock opened() {
        KeyBlock known = block;
        if (known == null) {
            throw new IllegalStateException("no block is open");
        }
        return known;
    }

    /// The offset of the current entry.
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
        row++;
        return decode(entryTo);
    }

    boolean isLast() {
        return entryTo >= entriesTo;
    }

    /// Whether the next entry has the same key. Does not move the cursor. There must be a next
    /// entry.
    boolean nextIsSameKey() {
        return (bytes[entryTo] & 1) != 0;
    }

    /// Moves to the first entry whose key is at least `bound`; false if the block has none.
    boolean seek(Bytes bound) {
        byte[] wanted = bound.array();
        boolean any = begin(opened().restartFor(wanted, wanted.length));
        while (any && Keys.compare(key, 0, keyBytes, wanted, 0, wanted.length) < 0) {
            any = next();
        }
        return any;
    }

    /// Moves to the last key whose entries begin before `offset`, at its newest version in this
    /// block.
    boolean lastKeyBefore(int offset) {
        if (offset == 0) {
            return false;
        }
        int restart = opened().restartCount - 1;
        while (opened().restartOffset(restart) >= offset) {
            restart--;
        }
        boolean any = begin(restart);
        int newest = entryFrom;
        int newestRow = row;
        while (any && entryTo < offset) {
            any = next();
            if (!sameKey) {
                newest = entryFrom;
                newestRow = row;
            }
        }
        // All entries from `newest` on have the same key, which is already in `key`. The other
        // fields are decoded again.
        if (newest != entryFrom) {
            int knownBytes = keyBytes;
            row = newestRow;
            decode(newest);
            keyBytes = knownBytes;
        }
        return true;
    }

    private boolean begin(int restart) {
        keyBytes = 0;
        row = opened().restartRow(restart);
        return decode(opened().restartOffset(restart));
    }

    private boolean decode(int offset) {
        if (offset >= entriesTo) {
            return false;
        }
        entryFrom = offset;
        int at = offset;
        int tag = LittleEndian.getVarInt(bytes, at);
        at += LittleEndian.varIntBytes(tag);
        int rest = LittleEndian.getVarInt(bytes, at);
        at += LittleEndian.varIntBytes(rest);
        int shared = tag >>> 3;
        kind = (tag >>> 1) & 3;
        sameKey = (tag & 1) != 0;
        keyBytes = shared + rest;
        if (key.length < keyBytes) {
            key = Arrays.copyOf(key, keyBytes * 2);
        }
        for (int index = 0; index < rest; index++) {
            key[shared + index] = bytes[at + index];
        }
        at += rest;
        long step = LittleEndian.getVarLong(bytes, at);
        timestamp = opened().baseTimestamp + ((step >>> 1) ^ -(step & 1));
        entryTo = at + LittleEndian.varLongBytes(step);
        return true;
    }
}
