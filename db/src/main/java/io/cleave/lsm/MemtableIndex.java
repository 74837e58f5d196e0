package io.cleave.lsm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Finds the node of a whole key of a [Memtable] by the key's hash: one look into memory instead of
/// one for each step of a search in order, and as few to see that a key is not there.
///
/// Parts of it are hash tables of their own and grow by themselves, so that no writer ever waits
/// for all of it to be copied. A slot has two words: half of the hash with the node behind it, and
/// the newest version. The version stands in its node too; but here it is found without waiting for
/// the node, whose key can be compared meanwhile: one wait for memory less.
///
/// Threads: one writer, any number of readers. A slot is filled once, when its node is complete,
/// and then only its version changes; a part that has grown is put in place when it has all that
/// the old one had. Who looks into the old one misses only versions that were added since.
final class MemtableIndex {
    /// What a key takes of it, about: slots of sixteen bytes are filled to between three eighths
    /// and three quarters.
    static final int BYTES_A_KEY = 32;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(long[][].class);

    private static final int PART_BITS = 6;
    private static final int PARTS = 1 << PART_BITS;
    private static final int SLOT_WORDS = 2;
    private static final int FIRST_WORDS = 4 * SLOT_WORDS;
    private static final long[] NO_SLOTS = new long[SLOT_WORDS];

    private final long[][] parts = new long[PARTS][];

    // The writer's own: how many slots of each part are filled.
    private final int[] filled = new int[PARTS];

    private volatile long allocatedBytes;

    MemtableIndex() {
        Arrays.fill(parts, NO_SLOTS);
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    /// The newest version of this key, whose hash is [Keys#hash]; or NONE.
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

    /// The place of the key's slot, or -1.
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

    /// For the writer; the key is not there yet.
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

    /// For the writer: the key of this node, which is there, has another newest version.
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

    /// Into the first slot that is free.
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
