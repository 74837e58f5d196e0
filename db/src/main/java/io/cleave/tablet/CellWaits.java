package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Waiting in a cell for what others have to end first. The cell's lock is held, and let go while
/// one waits.
final class CellWaits {
    /// Longer than a dead coordinator's lease.
    static final Duration LONGEST = Duration.ofSeconds(15);

    /// How long until one looks whether the cell still takes writes.
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Condition changed;
    private final Env env;

    /// Throws when waiting is of no use any more.
    private final Runnable check;

    CellWaits(ReentrantLock lock, Env env, Runnable check) {
        changed = lock.newCondition();
        this.env = env;
        this.check = check;
    }

    long deadline() {
        return env.nanoTime() + LONGEST.toNanos();
    }

    /// Waits until something has ended; not for long. OVERLOADED past the deadline.
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

    /// Something has ended.
    void wake() {
        changed.signalAll();
    }
}
