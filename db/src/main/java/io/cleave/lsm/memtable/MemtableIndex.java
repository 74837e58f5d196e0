package io.cleave.lsm.memtable;

import io.cleave.lsm.row.Keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// A hash index that finds the node of a whole key of a [Memtable]. A lookup takes about one memory
/// access, where an ordered search takes one for each step. It also takes few accesses to see that
/// a key does not exist.
///
/// The index is divided into parts. Each part is a hash table that grows by itself, so a writer
/// never waits for the whole index to be copied. A slot has two words: half of the hash together
/// with the node, and the newest version. The version is stored in the node too. The copy in the
/// slot can be read while the node, whose key is compared, is still being loaded, which saves one
/// memory access.
///
/// Threads: one writer, any number of readers. A slot is filled once, after its node is complete;
/// then only its version changes. A grown part is published after all slots were copied to it. A
/// reader that still uses the old part misses only versions that were added since.
final class MemtableIndex {
    /// The estimated size of the index for each key. Slots have 16 bytes, and a part is between 3/8
    /// and 3/4 full.
    static final int BYTES_A_KEY = 32;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(long[][].class);

    private static final int PART_BITS = 6;
    private static final int PARTS = 1 << PART_BITS;
    private static final int SLOT_WORDS = 2;
    private static final int FIRST_WORDS = 4 * SLOT_WORDS;
    private static final long[] NO_SLOTS = new long[SLOT_WORDS];

    private final long[][] parts = new long[PARTS][];

    // Used only by the writer: the number of filled slots of each part.
    private final int[] filled = new int[PARTS];

    private volatile long allocatedBytes;

    MemtableIndex() {
        Arrays.fill(parts, NO_SLOTS);
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    /// The newest version of a key, or NONE. The hash is [Keys#hash].
    long newest(byte[] key, long hash, MemtableNodes nodes) {
        long[] slots = slots(hash);
        int at = find(slots, key, hash, nodes);
        return at < 0 ? MemtableVersions.NONE : (long) SLOT.getAcquire(slots, at + 1);
    }

    /// The node with this key, or NONE.
    int node(byte[] key, long hash, MemtableNodes nodes) {
        long[] slots = slots(hash);
        int at = find(slots, key, hash, nodes);
        return at < 0 ? MemtableNodes.NONE : (int) slots[at];
    }

    private long[] slots(long hash) {
        return (long[]) PART.getAcquire(parts, part((int) hash));
    }

    /// The position of the key's slot, or -1.
    private static int find(long[] slots, byte[] key, long hash, MemtableNodes nodes) {
        int half = (int) hash;
        int mask = slots.length - 1;
        for (int at = first(half, mask); ; at = next(at, mask)) {
            long slot = (long) SLOT.getAcquire(slots, at);
            int node = (int) slot;
            if (node == MemtableNodes.NONE) {
                return -1;
            }
            if ((int) (slot >>> Integer.SIZE) == half && nodes.compareKey(node, key) == 0) {
                return at;
            }
        }
    }

    private static int first(int half, int mask) {
        return half * SLOT_WORDS & mask;
    }

    private static int next(int at, int mask) {
        return (at + SLOT_WORDS) & mask;
    }

    /// Adds a key that is not in the index. Only for the writer.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void add(int node, long hash, long newest) {
        int half = (int) hash;
        int part = part(half);
        long[] slots = parts[part];
        if (++filled[part] > slots.length / (4 * SLOT_WORDS) * 3) {
            allocatedBytes -= slots.length < FIRST_WORDS ? 0 : (long) slots.length * Long.BYTES;
            slots = grown(slots);
            allocatedBytes += (long) slots.length * Long.BYTES;
            PART.setRelease(parts, part, slots);
        }
        put(slots, (long) half << Integer.SIZE | Integer.toUnsignedLong(node), newest);
    }

    /// Changes the newest version of a key that is in the index. Only for the writer.
    void setNewest(int node, long hash, long newest) {
        int half = (int) hash;
        long[] slots = parts[part(half)];
        int mask = slots.length - 1;
        int at = first(half, mask);
        while ((int) slots[at] != node) {
            at = next(at, mask);
        }
        SLOT.setRelease(slots, at + 1, newest);
    }

    private static int part(int half) {
        return half >>> (Integer.SIZE - PART_BITS);
    }

    private static long[] grown(long[] slots) {
        var larger = new long[Math.max(FIRST_WORDS, slots.length * 2)];
        for (int at = 0; at < slots.length; at += SLOT_WORDS) {
            if (slots[at] != 0) {
                put(larger, slots[at], slots[at + 1]);
            }
        }
        return larger;
    }

    /// Fills the first free slot.
    private static void put(long[] slots, long slot, long newest) {
        int mask = slots.length - 1;
        int at = first((int) (slot >>> Integer.SIZE), mask);
        while (slots[at] != 0) {
            at = next(at, mask);
        }
        slots[at + 1] = newest;
        SLOT.setRelease(slots, at, slot);
    }
}
