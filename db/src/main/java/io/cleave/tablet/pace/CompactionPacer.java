package io.cleave.tablet.pace;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.lsm.table.Pacer;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Limits the write rate of one compaction; the rate may change while it runs. Cancels the
/// compaction when the cell closes or the tablet is gone. Threads: only the compacting thread.
public final class CompactionPacer implements Pacer {
    /// Shorter waits are saved up, because a sleep has its own cost.
    private static final long SHORTEST_WAIT_NANOS = 2_000_000;

    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private final Env env;
    private final LongSupplier bytesPerSecond;
    private final BooleanSupplier closing;

    /// The time at which the bytes written so far fit the rate.
    private long paidUntilNanos;

    public CompactionPacer(Env env, LongSupplier bytesPerSecond, BooleanSupplier closing) {
        this.env = env;
        this.bytesPerSecond = bytesPerSecond;
        this.closing = closing;
        paidUntilNanos = env.nanoTime();
    }

    @Override
    public void written(long bytes) {
        if (closing.getAsBoolean()) {
            throw new StatusException(
                    Status.CANCELLED, "the cell is closing, or the tablet is gone");
        }
        long rate = bytesPerSecond.getAsLong();
        long now = env.nanoTime();
        if (rate == Pace.UNLIMITED) {
            paidUntilNanos = now;
            return;
        }
        // Time spent on computing gives no credit for later.
        paidUntilNanos = Math.max(paidUntilNanos, now) + (long) (bytes * 1e9 / rate);
        long wait = paidUntilNanos - now;
        if (wait >= SHORTEST_WAIT_NANOS) {
            sleep(Math.min(wait, LONGEST_WAIT_NANOS));
        }
    }

    private void sleep(long nanos) {
        try {
            env.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        }
    }
}
