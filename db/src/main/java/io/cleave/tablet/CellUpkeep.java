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

/// The threads behind a cell: one flushes, another compacts, so that a long compaction never holds
/// up a flush that writers wait for.
///
/// What fails is tried again, for a blob that could not be written is garbage and nothing else:
/// while memtables cannot be flushed, writes are refused and reads go on. Only a failed log ends
/// the upkeep, until the cell is opened anew.
final class CellUpkeep implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CellUpkeep.class.getName());

    /// How long one who waits for the background waits before it looks again.
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// How long the background waits to be woken before it looks again by itself: it goes over all
    /// tablets, and there may be many.
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

    /// There may be something to do.
    private final Condition work = lock.newCondition();

    /// Something was done.
    private final Condition progress = lock.newCondition();

    private volatile boolean closing;

    /// Why memtables cannot be flushed; null while they can.
    private volatile @Nullable String flushFailure;

    @GuardedBy("lock")
    private int running;

    /// How often [#wake] was called, so that no call is missed.
    @GuardedBy("lock")
    private long wakes;

    /// The log has become long, and the flusher was told.
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

    /// As a commit without rows: for what adds files or erases to a tablet past its memtables.
    void admit(long tabletId) {
        admit(List.of(new TabletWrites(tabletId, List.of())), 0);
    }

    /// The cell's writer has put so many bytes into memtables.
    void appended(long bytes) {
        background.budget().grew(bytes);
        boolean isLong = cell.state().log().keptBytes() > options.replayBytes() / 2;
        if (isLong && toldOfLog.compareAndSet(false, true)) {
            wake();
        }
    }

    /// Makes files of everything that is in the tablet's memtables now, and returns when they are
    /// there: the generation of the last one.
    long flush(Replayed replayed) {
        cell.run(new Freeze(replayed.tablet.id()));
        long generation = replayed.tablet.tree().lastGeneration();
        wake();
        awaitFlushed(replayed, generation);
        return generation;
    }

    void compactFully(long tabletId) {
        compactor.compactFully(tabletId);
    }

    /// While it is held, no compaction of this cell is being decided on.
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

    /// UNAVAILABLE when a commit could never reach a file.
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

    /// There may be something to do for the background.
    void wake() {
        lock.lock();
        try {
            wakes++;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The background has done something: those who wait for it look again, and itself too.
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

    /// Waits until something was done; not for long.
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
    private void awaitFlushed(Replayed replayed, long generation) {
        while (replayed.lastFlushed() < generation
                && replayed.departure() == null
                && cell.state().replayed(replayed.tablet.id()) == replayed) {
            checkWritable();
            awaitProgress();
        }
    }

    /// Gives up what is under way; memtables stay in the log.
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

    /// Whether it was interrupted: the threads still write, so it has to be waited for all the
    /// same.
    @GuardedBy("lock")
    private boolean awaitEnd() {
        try {
            env.await(progress, PAUSE);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /// One thing to do; false when there was nothing.
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

    /// Unless someone has called [#wake] since it was seen last.
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
