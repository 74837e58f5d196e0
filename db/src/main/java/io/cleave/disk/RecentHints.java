package io.cleave.disk;

import io.cleave.base.Env;

import java.util.concurrent.atomic.AtomicLongArray;

/// The hints of about the last second. Their pages are almost certainly still in memory, and
/// repeating such a hint costs more than reading a page that is in memory.
///
/// There is a fixed number of entries. A new hint overwrites the entry at its place; a hint that is
/// lost this way is only given again. Threads: any.
final class RecentHints {
    private static final int PLACE_BITS = 16;

    /// A tick is about a quarter of a second: 2^28 nanoseconds.
    private static final int TICK_SHIFT = 28;

    /// The number of ticks for which a hint is remembered.
    private static final int RECENT_TICKS = 3;

    /// The low bits of an entry are the tick, the others a hash of the range. The hash is long
    /// enough that two ranges practically never collide.
    private static final int TICK_BITS = 17;

    private static final long TICK_MASK = (1L << TICK_BITS) - 1;

    private final Env env;
    private final AtomicLongArray entries = new AtomicLongArray(1 << PLACE_BITS);

    RecentHints(Env env) {
        this.env = env;
    }

    /// Whether the hint is new. A new hint is remembered.
    boolean isNew(long address, long bytes) {
        long tick = (env.nanoTime() >>> TICK_SHIFT) & TICK_MASK;
        long mixed = (address + bytes * 0x9e3779b97f4a7c15L) * 0xd1342543de82ef95L;
        long range = (mixed ^ (mixed >>> 32)) * 0x9e3779b97f4a7c15L & ~TICK_MASK;
        int place = (int) (range >>> (Long.SIZE - PLACE_BITS));
        long known = entries.getOpaque(place);
        if ((known & ~TICK_MASK) == range && ((tick - known) & TICK_MASK) <= RECENT_TICKS) {
            return false;
        }
        entries.setOpaque(place, range | tick);
        return true;
    }
}
