package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Numbers the names of columns from 0, in the order in which they first occur. A reader of rows
/// has one object of this class, so that it finds a field by a number and not by a name.
///
/// Threads: one at a time.
public final class ColumnNames {
    /// The maximum number of different names in the rows of one request.
    static final int MAX_NAMES = 32_768;

    private static final int FREE = -1;

    private final List<Bytes> names = new ArrayList<>();

    /// Numbers of names, in a hash table with open addressing. Its length is a power of two.
    private int[] slots = emptySlots(16);

    /// The number of the name, which may be new.
    public int idOf(Bytes name) {
        int slot = slotOf(name.array(), 0, name.length());
        return slots[slot] == FREE ? add(slot, name) : slots[slot];
    }

    /// The number of the name in `data[from, to)`, which may be new. Allocates nothing for a name
    /// that is known.
    public int idOf(byte[] data, int from, int to) {
        int slot = slotOf(data, from, to);
        return slots[slot] == FREE ? add(slot, Bytes.copyOf(data, from, to)) : slots[slot];
    }

    /// Whether the column `id` has the name in `data[from, to)`.
    boolean is(int id, byte[] data, int from, int to) {
        Bytes name = names.get(id);
        return Arrays.equals(name.array(), 0, name.length(), data, from, to);
    }

    private int slotOf(byte[] data, int from, int to) {
        int hash = 0;
        for (int index = from; index < to; index++) {
            hash = hash * 31 + data[index];
        }
        // The multiplication by the golden ratio makes the high bits depend on all bytes.
        int slot = (hash * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(slots.length - 1);
        while (slots[slot] != FREE && !is(slots[slot], data, from, to)) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private int add(int slot, Bytes name) {
        int id = names.size();
        if (id == MAX_NAMES) {
            throw new YtException(
                    YtCodes.GENERIC, "Too many different columns: limit " + MAX_NAMES);
        }
        names.add(name);
        slots[slot] = id;
        if (names.size() * 2 > slots.length) {
            slots = emptySlots(slots.length * 2);
            for (int known = 0; known < names.size(); known++) {
                Bytes other = names.get(known);
                slots[slotOf(other.array(), 0, other.length())] = known;
            }
        }
        return id;
    }

    private static int[] emptySlots(int length) {
        int[] slots = new int[length];
        Arrays.fill(slots, FREE);
        return slots;
    }

    public Bytes name(int id) {
        return names.get(id);
    }

    public int count() {
        return names.size();
    }
}
