package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.CellRecord.Freeze;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The background threads of a cell: one flushes, one compacts, and one ends open transactions. A
/// long compaction therefore never delays a flush that writers wait for.
///
/// Failed work is tried again; a blob that could not be written is only garbage. While memtables
/// cannot be flushed, writes are refused and reads continue. Only a failed log stops the threads,
/// until the cell is opened anew.
///
/// Threads: any.
final class CellUpkeep implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CellUpkeep.class.getName());

    /// How long a thread that waits for background work sleeps before it checks again.
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// How long an idle background thread sleeps before it checks for work by itself. A check
    /// visits all tablets, and there may be many.
    private static final Duration IDLE = Duration.ofSeconds(1);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    private final Cell cell;
    private final CellOptions options;
    private final Background background;
    private final Env env;
    private final Flusher flusher;
    private final Compactor compactor;
    private final Admission admission;
    private final ReentrantLock lock = new ReentrantLock();

    /// Signalled when there may be work.
    private final Condition work = lock.newCondition();

    /// Signalled when some work was done.
    private final Condition progress = lock.newCondition();

    private volatile boolean closing;

    /// Why memtables cannot be flushed; null while they can.
    private volatile @Nullable String flushFailure;

    @GuardedBy("lock")
    private int running;

    /// Counts the calls of [#wake], so that no call is missed.
    @GuardedBy("lock")
    private long wakes;

    /// Set when the log has become long and the flusher was woken for it.
    private final AtomicBoolean toldOfLog = new AtomicBoolean();

    CellUpkeep(Cell cell, CellOptions options, Background background, Env env) {
        this.cell = cell;
        this.options = options;
        this.background = background;
        this.env = env;
        flusher = new Flusher(cell, options, background, env, this);
        compactor = new Compactor(cell, background, env, this);
        admission = new Admission(cell, options, background.budget(), flusher, this, env);
    }

    void start() {
        background.budget().join(flusher);
        loop("flush-" + cell.id(), this::flush, IDLE);
        loop("compact-" + cell.id(), compactor::compactOnce, IDLE);
        loop("transactions-" + cell.id(), () -> cell.transactions().upkeep().runOnce(), PAUSE);
    }

    /// Returns when there is room for the commit.
    void admit(List<TabletWrites> writes, long commitBytes) {
        admission.admit(writes, commitBytes);
    }

    /// Whether [#admit] would return at once.
    boolean admitsNow(List<TabletWrites> writes, long commitBytes) {
        return admission.admitsNow(writes, commitBytes);
    }

    /// Whether commits are held back now.
    boolean isHeldBack() {
        return admission.isHeldBack();
    }

    /// Admits an operation that adds files or erases to a tablet without using its memtables. It
    /// counts as a commit without rows.
    void admit(long tabletId) {
        admit(List.of(new TabletWrites(tabletId, List.of())), 0);
    }

    /// Called after commits have put this many bytes into memtables.
    void appended(long bytes) {
        background.budget().grew(bytes);
        boolean isLong = cell.state().log().keptBytes() > options.replayBytes() / 2;
        if (isLong && toldOfLog.compareAndSet(false, true)) {
            wake();
        }
    }

    /// Writes everything that is in the tablet's memtables now to files, and waits until the files
    /// belong to the tablet. Returns the generation of the last flushed memtable.
    long flush(HostedTablet hosted) {
        cell.run(new Freeze(hosted.tablet.id()));
        long generation = hosted.tablet.tree().lastGeneration();
        wake();
        awaitFlushed(hosted, generation);
        return generation;
    }

    void compactFully(long tabletId) {
        compactor.compactFully(tabletId);
    }

    /// While this lock is held, no compaction of this cell is picked.
    ReentrantLock picking() {
        return compactor.picking();
    }

    boolean isCompacting(long tabletId) {
        return compactor.isCompacting(tabletId);
    }

    FlushRate flushRate() {
        return flusher.rate();
    }

    boolean closing() {
        return closing;
    }

    /// Throws UNAVAILABLE if the cell takes no writes now: its log has failed or stalls, disk space
    /// is short, memtables cannot be flushed, or the cell is closing.
    void checkWritable() {
        cell.refuseIfLogFailed();
        cell.refuseIfLogStalls();
        background.gate().check(cell.id());
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

    private long wakes() {
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

    /// Waits until the memtable of this generation is in files, or the tablet is gone.
    private void awaitFlushed(HostedTablet hosted, long generation) {
        while (hosted.lastFlushed() < generation
                && hosted.departure() == null
                && cell.state().hosted(hosted.tablet.id()) == hosted) {
            checkWritable();
            awaitProgress();
        }
    }

    /// Stops the background threads and waits for them. Unflushed memtables remain in the log.
    @Override
    public void close() {
        background.budget().leave(flusher);
        closing = true;
        lock.lock();
        try {
            work.signalAll();
            progress.signalAll();
            boolean interrupted = false;
            while (running > 0) {
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

    /// One unit of work; returns false if there was none.
    private interface Chore {
        boolean run() throws InterruptedException;
    }

    private void loop(String name, Chore chore, Duration longest) {
        lock.lock();
        try {
            running++;
        } finally {
            lock.unlock();
        }
        env.spawnBackground(
                name,
                () -> {
                    try {
                        while (!closing && !cell.logFailed()) {
                            runOnce(name, chore, longest);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        ended();
                    }
                });
    }

    private void runOnce(String name, Chore chore, Duration longest) throws InterruptedException {
        long seen = wakes();
        try {
            if (!chore.run()) {
                pause(seen, longest);
            }
        } catch (RuntimeException | Error e) {
            if (!closing && !cell.logFailed()) {
                report(name, e);
                pause(wakes(), AFTER_FAILURE);
            }
        }
    }

    private static void report(String name, Throwable e) {
        if (e instanceof UncheckedIOException || e instanceof StatusException) {
            LOGGER.log(System.Logger.Level.WARNING, name + " failed: " + e.getMessage());
        } else {
            LOGGER.log(System.Logger.Level.ERROR, name + " failed", e);
        }
    }

    private boolean flush() throws InterruptedException {
        try {
            toldOfLog.set(false);
            boolean done = flusher.flushOnce();
            flushFailure = null;
            return done;
        } catch (RuntimeException | Error e) {
            flushFailure = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /// Sleeps, unless `wake` was called since `seenWakes` was read.
    private void pause(long seenWakes, Duration longest) throws InterruptedException {
        lock.lock();
        try {
            if (!closing && wakes == seenWakes) {
                env.await(work, longest);
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
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
