package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// The estimated numbers of rows that a plan was chosen by. The plan stays valid until there are
/// many more rows, or far fewer. Most plans do not depend on such numbers and have none here.
///
/// Threads: any.
final class RowCounts {
    /// The maximum number of estimates that are kept for a plan. The first ones are enough.
    static final int MOST = 64;

    /// The minimum time between two checks.
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

    /// If there are this many times more rows, or fewer, the plan is made again.
    private static final int TIMES = 10;

    /// Changes up to this number of rows do not matter.
    private static final long MIN_ROWS = 1_000;

    record Count(Table table, KeyRange range, OptionalLong rows) {}

    private final Env env;
    private final List<Count> counts;
    private volatile long lookedNanos;

    /// Set when a change is found, for all holders of the plan.
    private volatile boolean changed;

    RowCounts(Env env, List<Count> counts) {
        this.env = env;
        this.counts = List.copyOf(counts);
        lookedNanos = env.nanoTime();
    }

    /// Whether the plan should be made again. Most calls do not look at the tables.
    boolean haveChanged(Tables tables) {
        if (counts.isEmpty() || changed) {
            return changed;
        }
        long now = env.nanoTime();
        if (now - lookedNanos < BETWEEN_LOOKS.toNanos()) {
            return false;
        }
        lookedNanos = now;
        for (Count count : counts) {
            OptionalLong rows = tables.estimatedRows(count.table(), count.range());
            if (rows.isPresent() && differ(count.rows().orElse(0), rows.getAsLong())) {
                changed = true;
            }
        }
        return changed;
    }

    private static boolean differ(long before, long now) {
        long fewer = Math.min(before, now);
        long more = Math.max(before, now);
        return more > MIN_ROWS && more / TIMES >= fewer;
    }
}
