package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Lets threads wait until other transactions or moves have ended. The caller holds the cell's
/// lock, which is released during the wait.
final class CellWaits {
    /// Longer than the lease of a dead coordinator.
    static final Duration LONGEST = Duration.ofSeconds(15);

    /// How often a waiting thread checks whether the cell still takes writes.
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Condition changed;
    private final Env env;

    /// Throws if waiting is useless now.
    private final Runnable check;

    CellWaits(ReentrantLock lock, Env env, Runnable check) {
        changed = lock.newCondition();
        this.env = env;
        this.check = check;
    }

    long deadline() {
        return env.nanoTime() + LONGEST.toNanos();
    }

    /// Waits for a short time, or until something has ended. Throws OVERLOADED after the deadline.
    void await(long deadlineNanos, long cellId) {
        check.run();
        if (env.nanoTime() - deadlineNanos >= 0) {
            throw new StatusException(
                    Status.OVERLOADED,
                    "cell %d: for %d seconds other transactions have held keys that are needed, or a tablet was being moved; try again later"
                            .formatted(cellId, LONGEST.toSeconds()));
        }
        try {
            env.await(changed, PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        }
    }

    /// Wakes all waiting threads after something has ended. The cell's lock is held.
    void wake() {
        changed.signalAll();
    }
}
