package io.cleave.exec.kernel;

import io.cleave.base.LittleEndian;
import io.cleave.value.BytesVector;
import io.cleave.value.DoubleVector;
import io.cleave.value.LongVector;
import io.cleave.value.Type;
import io.cleave.value.ValueVector;
import io.cleave.value.Vector;
import io.cleave.value.WideVector;

import java.util.Arrays;

/// Maps the keys of rows to group numbers, in the order of the groups' first rows. It is a hash
/// table of keys encoded as bytes. All NULLs are equal, all NaNs are equal, and 0.0 equals -0.0.
///
/// Threads: one.
public final class GroupTable {
    private static final int FREE = -1;

    /// The size of an array's header.
    private static final int ARRAY_BYTES = 16;

    /// The key values of each group, as in the group's first row.
    private final Vector[] keys;

    /// Bytes of the key values of variable length.
    private long valueBytes;

    private int groups;

    /// The encoded keys one after the other; the key of group `n` ends at `ends[n]`.
    private byte[] data = new byte[256];

    private int[] ends = new int[16];
    private int[] hashes = new int[16];

    /// Group numbers by hash. The length is a power of two, and at most half of the slots are in
    /// use.
    private int[] slots = new int[32];

    private final ShortKeys shortKeys = new ShortKeys();
    private byte[] key = new byte[64];
    private int keyBytes;

    GroupTable(Type[] types) {
        keys = new Vector[types.length];
        for (int index = 0; index < types.length; index++) {
            keys[index] = Vector.of(types[index]);
        }
        Arrays.fill(slots, FREE);
    }

    /// Whether a column of this type can be a key here.
    public static boolean takes(Type type) {
        return !(Vector.of(type) instanceof ValueVector);
    }

    int groups() {
        return groups;
    }

    int keyCount() {
        return keys.length;
    }

    /// The values of one key column, by group.
    Vector key(int index) {
        return keys[index];
    }

    /// The memory that the keys take, in bytes.
    long bytes() {
        return data.length
                + valueBytes
                + (long) Integer.BYTES * (ends.length + hashes.length + slots.length);
    }

    /// The bytes that a value takes in addition to its place in the vector.
    static long valueBytes(Vector vector, int place) {
        return vector instanceof BytesVector bytes && !bytes.isNull(place)
                ? ARRAY_BYTES + bytes.to(place) - bytes.from(place)
                : 0;
    }

    /// Finds or adds the groups of `rows[0 .. count)` and writes their numbers to `into`.
    void find(Vector[] columns, int[] rows, int count, int[] into) {
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            long code = ShortKeys.code(columns, row);
            if (code == ShortKeys.NONE) {
                into[index] = find(columns, row);
                continue;
            }
            int group = shortKeys.find(code);
            if (group < 0) {
                group = find(columns, row);
                shortKeys.put(code, group);
            }
            into[index] = group;
        }
    }

    int find(Vector[] columns, int row) {
        keyBytes = 0;
        for (Vector column : columns) {
            append(column, row);
        }
        int hash = hash();
        int slot = hash & (slots.length - 1);
        int group = slots[slot];
        while (group != FREE) {
            if (hashes[group] == hash && isKeyOf(group)) {
                return group;
            }
            slot = (slot + 1) & (slots.length - 1);
            group = slots[slot];
        }
        return add(columns, row, hash, slot);
    }

    private boolean isKeyOf(int group) {
        int from = group == 0 ? 0 : ends[group - 1];
        return Arrays.equals(data, from, ends[group], key, 0, keyBytes);
    }

    private int add(Vector[] columns, int row, int hash, int slot) {
        int group = groups++;
        if (group == ends.length) {
            ends = Arrays.copyOf(ends, 2 * group);
            hashes = Arrays.copyOf(hashes, 2 * group);
        }
        int from = group == 0 ? 0 : ends[group - 1];
        if (data.length < from + keyBytes) {
            data = Arrays.copyOf(data, Math.max(2 * data.length, from + keyBytes));
        }
        System.arraycopy(key, 0, data, from, keyBytes);
        ends[group] = from + keyBytes;
        hashes[group] = hash;
        slots[slot] = group;
        for (int index = 0; index < keys.length; index++) {
            keys[index].add(columns[index].get(row));
            valueBytes += valueBytes(keys[index], group);
        }
        if (2 * groups > slots.length) {
            rehash();
        }
        return group;
    }

    private void rehash() {
        slots = new int[2 * slots.length];
        Arrays.fill(slots, FREE);
        for (int group = 0; group < groups; group++) {
            int slot = hashes[group] & (slots.length - 1);
            while (slots[slot] != FREE) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = group;
        }
    }

    /// Encodes one key column: a byte for NULL or not NULL, then the value. A string has its length
    /// before it.
    private void append(Vector column, int row) {
        if (column.isNull(row)) {
            room(1);
            key[keyBytes++] = 0;
            return;
        }
        switch (column) {
            case LongVector longs -> {
                room(1 + Long.BYTES);
                key[keyBytes] = 1;
                LittleEndian.putLong(key, keyBytes + 1, longs.values()[row]);
                keyBytes += 1 + Long.BYTES;
            }
            case DoubleVector doubles -> {
                double value = doubles.values()[row];
                room(1 + Long.BYTES);
                key[keyBytes] = 1;
                long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
                LittleEndian.putLong(key, keyBytes + 1, bits);
                keyBytes += 1 + Long.BYTES;
            }
            case WideVector wides -> {
                room(1 + 2 * Long.BYTES);
                key[keyBytes] = 1;
                LittleEndian.putLong(key, keyBytes + 1, wides.lows()[row]);
                LittleEndian.putLong(key, keyBytes + 1 + Long.BYTES, wides.highs()[row]);
                keyBytes += 1 + 2 * Long.BYTES;
            }
            case BytesVector bytes -> appendBytes(bytes, row);
            case ValueVector _ -> throw new IllegalStateException("no key of a group");
        }
    }

    private void appendBytes(BytesVector bytes, int row) {
        byte[] from = bytes.data(row);
        int at = bytes.from(row);
        int length = bytes.to(row) - at;
        room(1 + Integer.BYTES + length);
        key[keyBytes] = 1;
        LittleEndian.putInt(key, keyBytes + 1, length);
        keyBytes += 1 + Integer.BYTES;
        if (length <= Long.BYTES) {
            for (int index = 0; index < length; index++) {
                key[keyBytes + index] = from[at + index];
            }
        } else {
            System.arraycopy(from, at, key, keyBytes, length);
        }
        keyBytes += length;
    }

    private void room(int more) {
        // Eight more bytes, because the hash reads whole longs.
        if (key.length < keyBytes + more + Long.BYTES) {
            key = Arrays.copyOf(key, 2 * (keyBytes + more + Long.BYTES));
        }
    }

    private int hash() {
        long hash = keyBytes;
        int at = 0;
        for (; at + Long.BYTES <= keyBytes; at += Long.BYTES) {
            hash = (hash ^ LittleEndian.getLong(key, at)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        if (at < keyBytes) {
            int unused = Byte.SIZE * (at + Long.BYTES - keyBytes);
            long rest = LittleEndian.getLong(key, at) << unused;
            hash = (hash ^ rest) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash & Integer.MAX_VALUE;
    }
}
