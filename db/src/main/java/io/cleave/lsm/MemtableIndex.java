package io.cleave.lsm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Finds the node of a whole key of a [Memtable] by the key's hash: one look into memory instead of
/// one for each step of a search in order, and as few to see that a key is not there.
///
/// Parts of it are hash tables of their own and grow by themselves, so that no writer ever waits
/// for all of it to be copied. A slot has half of the hash and, behind it, the node.
///
/// Threads: one writer, any number of readers. A slot is filled once, when its node is complete; a
/// part that has grown is put in place when it has all that the old one had.
final class MemtableIndex {
    /// What a key takes of it, about: slots of eight bytes are filled to between three eighths and
    /// three quarters.
    static final int BYTES_A_KEY = 16;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(long[][].class);

    private static final int PART_BITS = 6;
    private static final int PARTS = 1 << PART_BITS;
    private static final int FIRST_SLOTS = 8;
    private static final long[] NO_SLOTS = {0};

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

    /// The node with this key, whose hash is [Keys#hash]; or NONE.
    int find(byte[] key, long hash, MemtableNodes nodes) {
        int half = (int) hash;
        long[] slots = (long[]) PART.getAcquire(parts, part(half));
        int mask = slots.length - 1;
        for (int at = half & mask; ; at = (at + 1) & mask) {
            long slot = (long) SLOT.getAcquire(slots, at);
            int node = (int) slot;
            if (node == MemtableNodes.NONE) {
                return MemtableNodes.NONE;
            }
            if ((int) (slot >>> Integer.SIZE) == half && nodes.compareKey(node, key) == 0) {
                return node;
            }
        }
    }

    /// For the writer; the key is not there yet.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void add(int node, long hash) {
        int half = (int) hash;
        int part = part(half);
        long[] slots = parts[part];
        if (++filled[part] > slots.length / 4 * 3) {
            allocatedBytes -= slots.length < FIRST_SLOTS ? 0 : (long) slots.length * Long.BYTES;
            slots = grown(slots);
            allocatedBytes += (long) slots.length * Long.BYTES;
            PART.setRelease(parts, part, slots);
        }
        put(slots, (long) half << Integer.SIZE | Integer.toUnsignedLong(node));
    }

    private static int part(int half) {
        return half >>> (Integer.SIZE - PART_BITS);
    }

    private static long[] grown(long[] slots) {
        var larger = new long[Math.max(FIRST_SLOTS, slots.length * 2)];
        for (long slot : slots) {
            if (slot != 0) {
                put(larger, slot);
            }
        }
        return larger;
    }

    /// Into the first slot that is free.
    private static void put(long[] slots, long slot) {
        int mask = slots.length - 1;
        int at = (int) (slot >>> Integer.SIZE) & mask;
        while (slots[at] != 0) {
            at = (at + 1) & mask;
        }
        SLOT.setRelease(slots, at, slot);
    }
}
