package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.CellState.Replayed;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The threads behind a cell: one flushes, another compacts, so that a long compaction never holds
/// up a flush that writers wait for.
///
/// What fails is tried again, for a blob that could not be written is garbage and nothing else:
/// while memtables cannot be flushed, writes are refused and reads go on. Only a failed log ends
/// the upkeep, until the cell is opened anew.
final class CellUpkeep implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CellUpkeep.class.getName());

    /// How long a thread waits for a reason to look again.
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    private final Cell cell;
    private final Background background;
    private final Env env;
    private final Flusher flusher;
    private final Compactor compactor;
    private final Admission admission;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private volatile boolean closing;

    /// Why memtables cannot be flushed; null while they can.
    private volatile @Nullable String flushFailure;

    @GuardedBy("lock")
    private int running;

    /// How often [#wake] was called, so that no call is missed.
    @GuardedBy("lock")
    private long wakes;

    CellUpkeep(Cell cell, CellOptions options, Background background, Env env) {
        this.cell = cell;
        this.background = background;
        this.env = env;
        flusher = new Flusher(cell, options, background, env, this);
        compactor = new Compactor(cell, background, env, this);
        admission = new Admission(cell, options, background.budget(), flusher, this, env);
    }

    void start() {
        background.budget().join(flusher);
        loop("flush-" + cell.id(), this::flush);
        loop("compact-" + cell.id(), compactor::compactOnce);
    }

    /// Returns when there is room for the commit.
    void admit(List<TabletWrites> writes, long commitBytes) {
        admission.admit(writes, commitBytes);
    }

    /// The cell's writer has put so many bytes into memtables.
    void appended(long bytes) {
        background.budget().grew(bytes);
    }

    void compactFully(long tabletId) {
        compactor.compactFully(tabletId);
    }

    FlushRate flushRate() {
        return flusher.rate();
    }

    boolean closing() {
        return closing;
    }

    /// UNAVAILABLE when a commit could never reach a file.
    void checkWritable() {
        cell.refuseIfLogFailed();
        String why = flushFailure;
        if (why != null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell %d takes no writes: %s; it tries again by itself every %d seconds"
                            .formatted(cell.id(), why, AFTER_FAILURE.toSeconds()));
        }
        if (closing) {
            throw new StatusException(
                    Status.UNAVAILABLE, "cell %d is closing".formatted(cell.id()));
        }
    }

    /// Something was done, or is to be done.
    void wake() {
        lock.lock();
        try {
            wakes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long wakes() {
        lock.lock();
        try {
            return wakes;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something was done; not for long.
    void awaitChange() {
        try {
            pause(wakes(), PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        }
    }

    /// Waits until the memtable of this generation is in files, or the tablet is gone.
    void awaitFlushed(Replayed replayed, long generation) {
        while (replayed.lastFlushed < generation
                && cell.state().replayed(replayed.tablet.id()) == replayed) {
            checkWritable();
            awaitChange();
        }
    }

    /// Gives up what is under way; memtables stay in the log.
    @Override
    public void close() {
        background.budget().leave(flusher);
        closing = true;
        lock.lock();
        try {
            changed.signalAll();
            while (running > 0) {
                env.await(changed, PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// One thing to do; false when there was nothing.
    private interface Chore {
        boolean run() throws InterruptedException;
    }

    private void loop(String name, Chore chore) {
        lock.lock();
        try {
            running++;
        } finally {
            lock.unlock();
        }
        env.spawnWorker(
                name,
                () -> {
                    try {
                        while (!closing && !cell.logFailed()) {
                            runOnce(name, chore);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        ended();
                    }
                });
    }

    private void runOnce(String name, Chore chore) throws InterruptedException {
        long seen = wakes();
        try {
            if (!chore.run()) {
                pause(seen, PAUSE);
            }
        } catch (RuntimeException e) {
            if (!closing && !cell.logFailed()) {
                report(name, e);
                pause(wakes(), AFTER_FAILURE);
            }
        }
    }

    private static void report(String name, RuntimeException e) {
        if (e instanceof UncheckedIOException || e instanceof StatusException) {
            LOGGER.log(System.Logger.Level.WARNING, name + " failed: " + e.getMessage());
        } else {
            LOGGER.log(System.Logger.Level.ERROR, name + " failed", e);
        }
    }

    private boolean flush() throws InterruptedException {
        try {
            boolean done = flusher.flushOnce();
            flushFailure = null;
            return done;
        } catch (RuntimeException e) {
            flushFailure = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /// Unless someone has called [#wake] since it was seen last.
    private void pause(long seenWakes, Duration longest) throws InterruptedException {
        lock.lock();
        try {
            if (!closing && wakes == seenWakes) {
                env.await(changed, longest);
            }
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        compactor.close();
        lock.lock();
        try {
            running--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
