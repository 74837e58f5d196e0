package io.cleave.control;

import io.cleave.base.Check;

import java.time.Duration;

/// How many decisions are kept.
///
/// @param keep how long a change is kept after it was last tried
/// @param bytes size of the stored decisions beyond which the oldest changes are erased
/// @param inMemory limit of the changes that are in memory, too
record DecisionLimits(Duration keep, long bytes, int inMemory) {
    private static final long BYTES = 256L << 20;
    private static final int IN_MEMORY = 1000;

    DecisionLimits {
        Check.that(keep.isPositive(), "decisions are kept for %s", keep);
        Check.that(inMemory > 0, "%d decisions in memory", inMemory);
    }

    /// A change that was last tried before this time is too old.
    long oldestMicros(long nowMicros) {
        return nowMicros - keep.toNanos() / 1000;
    }

    static DecisionLimits keeping(Duration keep) {
        return new DecisionLimits(keep, BYTES, IN_MEMORY);
    }
}
