package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.lsm.Compaction;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.tablet.CellRecord.Compacted;
import io.cleave.tablet.CellRecord.Flushed;
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellState.Frozen;
import io.cleave.tablet.CellState.Replayed;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// What happens behind a cell's back: memtables become files, files are merged, and the log before
/// them is given up. One thread flushes, another compacts, so that a long compaction never holds up
/// a flush that writers wait for.
final class CellUpkeep implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CellUpkeep.class.getName());

    /// How long a thread waits for a reason to look again.
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Cell cell;
    private final TableFiles files;
    private final CellOptions options;
    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private int running;

    /// Bytes in memtables when last counted, and what was appended since: an upper bound.
    @GuardedBy("lock")
    private long unflushedBytes;

    @GuardedBy("lock")
    private long bytesSinceState;

    /// What stopped the upkeep; writers are told.
    @GuardedBy("lock")
    private @Nullable RuntimeException failure;

    CellUpkeep(Cell cell, TableFiles files, CellOptions options, Env env) {
        this.cell = cell;
        this.files = files;
        this.options = options;
        this.env = env;
    }

    void start() {
        loop("flush-" + cell.id(), this::flushOnce);
        loop("compact-" + cell.id(), this::compactOnce);
    }

    /// The cell's writer has logged so many bytes.
    void appended(long bytes) {
        lock.lock();
        try {
            unflushedBytes += bytes;
            bytesSinceState += bytes;
            if (unflushedBytes > options.memtableBytes()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Holds a commit up while too much is waiting to be flushed.
    void waitForRoom() {
        lock.lock();
        try {
            long deadline = env.nanoTime() + options.stallMillis() * 1_000_000;
            while (unflushedBytes > options.stallBytes()) {
                if (failure != null || closed || env.nanoTime() - deadline > 0) {
                    throw new StatusException(
                            Status.OVERLOADED,
                            failure == null
                                    ? "cell "
                                            + cell.id()
                                            + " is writing faster than it can flush:"
                                            + " try again later"
                                    : "cell "
                                            + cell.id()
                                            + " cannot flush: "
                                            + failure.getMessage());
                }
                env.await(changed, PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        } finally {
            lock.unlock();
        }
    }

    /// Waits for what is running and ends; memtables stay in the log.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
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
        boolean run();
    }

    private void loop(String name, Chore chore) {
        lock.lock();
        try {
            running++;
        } finally {
            lock.unlock();
        }
        env.spawn(
                name,
                () -> {
                    try {
                        while (goesOn()) {
                            if (!chore.run()) {
                                pause();
                            }
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException e) {
                        fail(name, e);
                    } finally {
                        ended();
                    }
                });
    }

    private boolean goesOn() {
        lock.lock();
        try {
            return !closed && failure == null;
        } finally {
            lock.unlock();
        }
    }

    private void pause() throws InterruptedException {
        lock.lock();
        try {
            if (!closed) {
                env.await(changed, PAUSE);
            }
        } finally {
            lock.unlock();
        }
    }

    private void fail(String name, RuntimeException e) {
        if (e instanceof StatusException) {
            LOGGER.log(System.Logger.Level.WARNING, name + " stopped: " + e.getMessage());
        } else {
            LOGGER.log(System.Logger.Level.ERROR, name + " stopped", e);
        }
        lock.lock();
        try {
            failure = e;
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        lock.lock();
        try {
            running--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Flushes one tablet, the one that is most worth it.
    private boolean flushOnce() {
        Replayed candidate = pickFlush();
        if (candidate != null) {
            if (candidate.frozen.isEmpty()) {
                cell.run(new Freeze(candidate.tablet.id()));
            }
            flushFrozen(candidate);
        }
        boolean logged = checkpointIfDue();
        return candidate != null || logged;
    }

    private @Nullable Replayed pickFlush() {
        long total = 0;
        @Nullable Replayed largest = null;
        for (Replayed replayed : cell.state().tablets()) {
            if (!replayed.frozen.isEmpty()) {
                return replayed; // left from before a restart
            }
            long bytes = replayed.tablet.tree().activeBytes();
            total += bytes;
            if (largest == null || bytes > largest.tablet.tree().activeBytes()) {
                largest = replayed;
            }
        }
        lock.lock();
        try {
            unflushedBytes = total;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return total > options.memtableBytes() ? largest : pinningTooMuchLog();
    }

    /// A small tablet that nobody would flush for its size keeps the log before it alive.
    private @Nullable Replayed pinningTooMuchLog() {
        CellState state = cell.state();
        return state.tablets().stream()
                .filter(replayed -> state.heldBackBytes(replayed) > options.replayBytes())
                .max(Comparator.comparingLong(state::heldBackBytes))
                .orElse(null);
    }

    private void flushFrozen(Replayed replayed) {
        while (!replayed.frozen.isEmpty()) {
            Frozen oldest = replayed.frozen.getFirst();
            List<Slice> slices =
                    replayed.tablet
                            .tree()
                            .writeTables(oldest.generation(), cell.snapshots().oldest());
            cell.run(new Flushed(replayed.tablet.id(), oldest.generation(), slices));
            if (cell.tablet(replayed.tablet.id()) == null) {
                slices.forEach(slice -> files.delete(slice.blobId()));
                return;
            }
        }
    }

    private boolean checkpointIfDue() {
        lock.lock();
        try {
            if (bytesSinceState < options.stateBytes()) {
                return false;
            }
            bytesSinceState = 0;
        } finally {
            lock.unlock();
        }
        cell.checkpoint();
        return true;
    }

    private boolean compactOnce() {
        for (Replayed replayed : cell.state().tablets()) {
            Optional<Compaction> compaction = replayed.tablet.tree().pickCompaction(cell.snapshots().oldest());
            if (compaction.isPresent()) {
                compact(replayed, compaction.get());
                return true;
            }
        }
        return false;
    }

    private void compact(Replayed replayed, Compaction compaction) {
        long tabletId = replayed.tablet.id();
        List<Slice> added =
                replayed.tablet.tree().runCompaction(compaction, cell.snapshots().oldest());
        cell.run(new Compacted(tabletId, compaction.inputs(), added));
        // A table that only went down a level is in both lists, under the same blob.
        boolean dropped = cell.tablet(tabletId) == null;
        Set<Long> unused = blobIds(dropped ? added : compaction.inputs());
        unused.removeAll(blobIds(dropped ? List.of() : added));
        unused.forEach(files::delete);
    }

    private static Set<Long> blobIds(List<Slice> slices) {
        return slices.stream().map(Slice::blobId).collect(Collectors.toCollection(HashSet::new));
    }
}
