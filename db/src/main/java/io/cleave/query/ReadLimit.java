package io.cleave.query;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Limits the number of rows that a run reads from all tables. When more rows are there, the run
/// fails, or it ends as if there were no more.
///
/// Threads: any; the threads of one run share it.
public final class ReadLimit {
    /// A batch of columns that is read ahead would be a large part of a smaller limit.
    private static final long MIN_BATCHED_ROWS = 10_000;

    private final long mostRows;
    private final @Nullable Supplier<? extends RuntimeException> failure;
    private final AtomicLong rows = new AtomicLong();
    private volatile boolean exceeded;

    private ReadLimit(long mostRows, @Nullable Supplier<? extends RuntimeException> failure) {
        this.mostRows = mostRows;
        this.failure = failure;
    }

    /// The run fails with this exception.
    public static ReadLimit failing(long rows, Supplier<? extends RuntimeException> failure) {
        return new ReadLimit(rows, failure);
    }

    /// The run reads no more than these rows.
    public static ReadLimit stopping(long rows) {
        return new ReadLimit(rows, null);
    }

    /// Whether rows were left out.
    public boolean isExceeded() {
        return exceeded;
    }

    /// The number of rows that were read so far.
    public long rows() {
        return Math.min(rows.get(), mostRows);
    }

    /// Whether a run that reads one row cannot exceed the limit.
    boolean admitsARow() {
        return mostRows > 0;
    }

    /// Whether the run has to read row by row: if it has to stop at the right row, or if rows that
    /// are read ahead, and that a LIMIT does not need, could exceed the limit.
    boolean countsByRow() {
        return failure == null || mostRows < MIN_BATCHED_ROWS;
    }

    /// Called for rows that were found. Returns whether they may be used.
    boolean admits(long found) {
        if (rows.addAndGet(found) <= mostRows) {
            return true;
        }
        exceeded = true;
        if (failure != null) {
            throw failure.get();
        }
        return false;
    }
}
