package io.cleave.lsm.table;

import io.cleave.base.LittleEndian;
import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

/// A block of versions, ordered by key and then newest first. It has their keys, timestamps and
/// kinds, and also their fields if the table has only one column family.
///
/// ```
/// entries:
///   varint  shared << 3 | kind << 1 | same   shared: bytes of the key shared with the key before
///                                            same:   1 if it is an older version of the same key
///   varint  rest                             bytes of the key that follow
///   rest of the key
///   varint  timestamp - base, as 2n if n >= 0, else -2n - 1
/// fields of the entries: see Fields            only if the table has one column family
/// u32 each  offset of every restart point
/// u32 each  its row: the number of entries before it
/// u64       base timestamp
/// u32       end of the entries
/// u32       end of the fields
/// u32       number of entries
/// u32       number of restart points
/// ```
///
/// A restart point is an entry with its whole key (shared = 0), at which a search can begin. The
/// first entry is one, and then one in every `restartKeys` keys; an older version of a key never
/// is. Keys are stored together, apart from the fields, so a search touches little memory before it
/// reads the one row it wants.
final class KeyBlock extends Block {
    static final int TRAILER_BYTES = 8 + 4 + 4 + 4 + 4;

    /// The result of [#find] if the key is not in the block.
    static final long ABSENT = -1;

    final int entriesTo;
    final int rows;
    final int restartCount;
    final long baseTimestamp;
    final @Nullable Fields fields;
    private final int restartsFrom;

    private static final long UNKNOWN = -1;
    private static final long NOT_PLAIN = Long.MAX_VALUE;

    /// See [#plainUpTo]; computed on first use.
    private volatile long plainUpTo = UNKNOWN;

    /// The bytes must have passed their checksum.
    KeyBlock(byte[] bytes, boolean withFields, Fields.Shapes like) {
        super(bytes);
        int trailer = bytes.length - TRAILER_BYTES;
        baseTimestamp = LittleEndian.getLong(bytes, trailer);
        entriesTo = LittleEndian.getInt(bytes, trailer + 8);
        int fieldsTo = LittleEndian.getInt(bytes, trailer + 12);
        rows = LittleEndian.getInt(bytes, trailer + 16);
        restartCount = LittleEndian.getInt(bytes, trailer + 20);
        restartsFrom = trailer - 8 * restartCount;
        fields = withFields ? new Fields(bytes, entriesTo, fieldsTo, like) : null;
    }

    /// The newest timestamp in the block, if no entry is an older version or an ERASE. Otherwise a
    /// value greater than any snapshot.
    long plainUpTo() {
        long known = plainUpTo;
        if (known == UNKNOWN) {
            known = findPlainUpTo();
            plainUpTo = known;
        }
        return known;
    }

    private long findPlainUpTo() {
        long newest = 0;
        int at = 0;
        while (at < entriesTo) {
            int tag = LittleEndian.getVarInt(bytes, at);
            at += LittleEndian.varIntBytes(tag);
            int rest = LittleEndian.getVarInt(bytes, at);
            at += LittleEndian.varIntBytes(rest) + rest;
            long step = LittleEndian.getVarLong(bytes, at);
            at += LittleEndian.varLongBytes(step);
            if ((tag & 1) != 0 || ((tag >>> 1) & 3) == RowChange.Kind.ERASE.code) {
                return NOT_PLAIN;
            }
            newest = Math.max(newest, baseTimestamp + ((step >>> 1) ^ -(step & 1)));
        }
        return newest;
    }

    int restartOffset(int restart) {
        return LittleEndian.getInt(bytes, restartsFrom + 4 * restart);
    }

    int restartRow(int restart) {
        return LittleEndian.getInt(bytes, restartsFrom + 4 * (restartCount + restart));
    }

    /// The last restart point whose key is at most `key`; the first restart point if there is none.
    int restartFor(byte[] key, int keyBytes) {
        int low = 0;
        int high = restartCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (compareRestart(middle, key, keyBytes) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private int compareRestart(int restart, byte[] key, int keyBytes) {
        int at = restartOffset(restart);
        at += LittleEndian.varIntBytes(LittleEndian.getVarInt(bytes, at));
        int rest = LittleEndian.getVarInt(bytes, at);
        at += LittleEndian.varIntBytes(rest);
        return Keys.compare(bytes, at, at + rest, key, 0, keyBytes);
    }

    /// The newest version of exactly this key: `row << 32 | offset of the entry`, or [#ABSENT].
    ///
    /// No key is assembled. For each entry it is enough to know how many leading bytes it shares
    /// with the wanted key, and that it comes before the wanted key.
    long find(byte[] key, int keyBytes) {
        int restart = restartFor(key, keyBytes);
        int at = restartOffset(restart);
        int row = restartRow(restart);
        int agreed = 0;
        while (at < entriesTo) {
            int entry = at;
            int tag = LittleEndian.getVarInt(bytes, at);
            at += LittleEndian.varIntBytes(tag);
            int rest = LittleEndian.getVarInt(bytes, at);
            at += LittleEndian.varIntBytes(rest);
            int shared = tag >>> 3;
            if ((tag & 1) == 0) {
                if (shared < agreed && shared > 0) {
                    return ABSENT; // shares less than the entry before: greater than the key
                }
                // A restart point does not tell how much it shares with the key before it.
                if (shared == agreed || shared == 0) {
                    int most = Math.min(rest, keyBytes - shared);
                    int same = 0;
                    while (same < most && bytes[at + same] == key[shared + same]) {
                        same++;
                    }
                    if (same == rest && shared + same == keyBytes) {
                        return ((long) row << Integer.SIZE) | entry;
                    }
                    if (same == keyBytes - shared
                            || (same < rest
                                    && (bytes[at + same] & 0xFF) > (key[shared + same] & 0xFF))) {
                        return ABSENT;
                    }
                    agreed = shared + same;
                }
            }
            at += rest;
            while (bytes[at++] < 0) {}
            row++;
        }
        return ABSENT;
    }
}
