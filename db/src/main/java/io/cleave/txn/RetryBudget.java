package io.cleave.txn;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;

/// The retry budget of a commit while its tablets move. The first three retries are immediate.
final class RetryBudget {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int AT_ONCE = 3;
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Env env;
    private final long deadlineNanos;
    private int attempts;

    RetryBudget(Env env) {
        this.env = env;
        deadlineNanos = env.nanoTime() + LONGEST.toNanos();
    }

    /// Counts an attempt, and sleeps if there were several. Returns whether to try again.
    boolean again() {
        attempts++;
        if (attempts > AT_ONCE) {
            try {
                env.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StatusException(Status.CANCELLED, "interrupted");
            }
        }
        return env.nanoTime() - deadlineNanos < 0;
    }
}
