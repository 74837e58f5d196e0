package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Signals between the background threads of a cell and the threads that depend on their work. Also
/// knows whether the cell takes writes at all.
///
/// Threads: any.
final class UpkeepSignals {
    /// How long a thread that waits for background work sleeps before it checks again.
    static final Duration PAUSE = Duration.ofMillis(500);

    /// How long a background thread rests after a failure.
    static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    // ---- constant after construction

    private final CellJournal journal;
    private final WriteGate gate;
    private final Env env;

    // ---- own synchronisation

    private volatile boolean closing;

    /// Why memtables cannot be flushed; null while they can.
    private volatile @Nullable String flushFailure;

    // ---- guarded by the lock

    private final ReentrantLock lock = new ReentrantLock();

    /// Signalled when there may be work.
    private final Condition work = lock.newCondition();

    /// Signalled when some work was done.
    private final Condition progress = lock.newCondition();

    @GuardedBy("lock")
    private int runningThreads;

    /// Counts the calls of [#wake], so that no call is missed.
    @GuardedBy("lock")
    private long wakes;

    UpkeepSignals(CellJournal journal, WriteGate gate, Env env) {
        this.journal = journal;
        this.gate = gate;
        this.env = env;
    }

    /// Throws UNAVAILABLE if the cell takes no writes now: its log has failed or stalls, disk space
    /// is short, memtables cannot be flushed, or the cell is closing.
    void checkWritable() {
        journal.refuseIfLogFailed();
        journal.refuseIfLogStalls();
        gate.check(journal.cellId());
        String why = flushFailure;
        if (why != null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell %d takes no writes: %s; it tries again by itself every %d seconds"
                            .formatted(journal.cellId(), why, AFTER_FAILURE.toSeconds()));
        }
        if (closing) {
            throw new StatusException(
                    Status.UNAVAILABLE, "cell %d is closing".formatted(journal.cellId()));
        }
    }

    /// Null when memtables can be flushed again.
    void setFlushFailure(@Nullable String why) {
        flushFailure = why;
    }

    Optional<String> flushFailure() {
        return Optional.ofNullable(flushFailure);
    }

    boolean closing() {
        return closing;
    }

    /// Whether the background threads have nothing more to do: the cell is closing, or its log has
    /// failed.
    boolean isOver() {
        return closing || journal.logFailed();
    }

    /// Tells the background threads that there may be work.
    void wake() {
        lock.lock();
        try {
            wakes++;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Called after background work was done: wakes the threads that wait for it and the background
    /// threads.
    void progressed() {
        lock.lock();
        try {
            wakes++;
            work.signalAll();
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long wakes() {
        lock.lock();
        try {
            return wakes;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until some background work was done, but only for a short time.
    void awaitProgress() {
        lock.lock();
        try {
            wakes++;
            work.signalAll();
            env.await(progress, PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        } finally {
            lock.unlock();
        }
    }

    /// Sleeps, unless `wake` was called since `seenWakes` was read.
    void pause(long seenWakes, Duration longest) throws InterruptedException {
        lock.lock();
        try {
            if (!closing && wakes == seenWakes) {
                env.await(work, longest);
            }
        } finally {
            lock.unlock();
        }
    }

    void threadStarts() {
        lock.lock();
        try {
            runningThreads++;
        } finally {
            lock.unlock();
        }
    }

    void threadEnded() {
        lock.lock();
        try {
            runningThreads--;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Stops the background threads and waits for them.
    void close() {
        closing = true;
        lock.lock();
        try {
            work.signalAll();
            progress.signalAll();
            boolean interrupted = false;
            while (runningThreads > 0) {
                interrupted |= awaitEnd();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the wait was interrupted. The caller must go on waiting all the same,
    /// because the threads still write.
    @GuardedBy("lock")
    private boolean awaitEnd() {
        try {
            env.await(progress, PAUSE);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
