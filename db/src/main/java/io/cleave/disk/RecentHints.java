package io.cleave.disk;

import io.cleave.base.Env;

import java.util.concurrent.atomic.AtomicLongArray;

/// Which hints were given within the last second. Their pages are in memory for certain, and to
/// give such a hint again costs more than all else that reads a page that is there.
///
/// A fixed number of places; a hint takes the place of whatever had it before, and one that is
/// forgotten is only given once more. Threads: any.
final class RecentHints {
    private static final int PLACE_BITS = 16;

    /// A tick is about a quarter of a second: a power of two of nanoseconds.
    private static final int TICK_SHIFT = 28;

    /// Ticks for which a hint holds.
    private static final int RECENT_TICKS = 3;

    /// The low bits of an entry are the tick, the others tell the range: so many that two ranges
    /// are never the same.
    private static final int TICK_BITS = 17;

    private static final long TICK_MASK = (1L << TICK_BITS) - 1;

    private final Env env;
    private final AtomicLongArray entries = new AtomicLongArray(1 << PLACE_BITS);

    RecentHints(Env env) {
        this.env = env;
    }

    /// Whether the hint is new; it is remembered then.
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
