package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.concurrent.locks.Condition;

/// Lets threads wait until other transactions or moves have ended. The caller holds the cell's
/// lock, which is released during the wait.
final class CellWaits {
    /// Longer than the lease of a dead coordinator.
    static final Duration LONGEST = Duration.ofSeconds(15);

    /// How often a waiting thread checks whether the cell still takes writes.
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final long cellId;
    private final Condition changed;
    private final UpkeepSignals signals;
    private final Env env;

    CellWaits(CellJournal journal, UpkeepSignals signals, Env env) {
        cellId = journal.cellId();
        changed = journal.lock().newCondition();
        this.signals = signals;
        this.env = env;
    }

    long deadline() {
        return env.nanoTime() + LONGEST.toNanos();
    }

    /// Waits for a short time, or until something has ended. Throws OVERLOADED after the deadline,
    /// and UNAVAILABLE if the cell takes no writes now.
    void await(long deadlineNanos) {
        signals.checkWritable();
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
