package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// About how many rows there were where a plan was chosen by that: it stays the right one until
/// there are many more, or far fewer. Most plans are chosen by none of it, and have nothing here.
///
/// Threads: any.
final class RowCounts {
    /// Of a plan that asked for more, the first ones say enough.
    static final int MOST = 64;

    /// They are not looked at more often.
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

    /// So many times as many rows, or as few, make another plan.
    private static final int TIMES = 10;

    /// Up to so many rows it does not matter.
    private static final long MIN_ROWS = 1_000;

    record Count(Table table, KeyRange range, OptionalLong rows) {}

    private final Env env;
    private final List<Count> counts;
    private volatile long lookedNanos;

    /// Once they have, for all who hold the plan.
    private volatile boolean changed;

    RowCounts(Env env, List<Count> counts) {
        this.env = env;
        this.counts = List.copyOf(counts);
        lookedNanos = env.nanoTime();
    }

    /// Whether the plan should be made anew; mostly without looking.
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
