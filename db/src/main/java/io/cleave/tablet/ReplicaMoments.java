package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.tablet.ReadReplica.Reached;
import io.cleave.time.ReplicaMoment;
import io.cleave.time.SharedSnapshots;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/// The timestamps at which stale reads see the read replicas. All cells use the same one, so that a
/// read over several cells sees one moment.
///
/// Every few milliseconds the newest visible timestamp is marked in each replica, and the replica
/// tells when it has reached it. The *common* moment is the newest that all replicas have reached.
/// Replicas that are too far behind do not count, and serve no reads. While no replica serves, the
/// common moment advances in larger steps, so that replicas can reach it. It never goes back.
/// Versions that it sees are kept, as for every snapshot.
///
/// Threads: any. A reader takes no lock but that of its stripe.
public final class ReplicaMoments implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ReplicaMoments.class.getName());

    /// The minimum age of a stale read. The average is half as much again.
    private static final Duration STEP = Duration.ofMillis(4);

    /// A replica that has not reached a moment after this time no longer holds the others back. The
    /// common moment is never older than this, even if no replica serves.
    static final Duration PATIENCE = Duration.ofMillis(500);

    private final Timeline timeline;
    private final Env env;
    private final SharedSnapshots taken = new SharedSnapshots();
    private final List<ReadReplica> replicas = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /// Completes when the running thread has ended; null if there is none.
    @GuardedBy("lock")
    private @Nullable CompletableFuture<Boolean> over;

    private volatile boolean closed;

    /// The common moment; null while there are no replicas.
    private volatile @Nullable Reached common;

    /// The current common moment, or the last one. Never decreases.
    private volatile long newest;

    public ReplicaMoments(Timeline timeline, Env env) {
        this.timeline = timeline;
        this.env = env;
    }

    /// Takes the common moment, if there is one.
    public Optional<ReplicaMoment> take() {
        Reached atLeast = common;
        if (atLeast == null) {
            return Optional.empty();
        }
        long timestamp = taken.take(() -> newest);
        // Checks again, because the snapshot is counted now: a thread that ends first sets `common`
        // to null and then looks for readers.
        if (common == null) {
            taken.release(timestamp);
            return Optional.empty();
        }
        return Optional.of(new ReplicaMoment(timestamp, atLeast.steadyMicros()));
    }

    /// The moment that `take` would return now.
    public OptionalLong newest() {
        return common == null ? OptionalLong.empty() : OptionalLong.of(newest);
    }

    public void release(long timestamp) {
        taken.release(timestamp);
    }

    public void add(ReadReplica replica) {
        replicas.add(replica);
        lock.lock();
        try {
            if (over == null && !closed) {
                var ending = new CompletableFuture<Boolean>();
                over = ending;
                Timeline.Hold hold = begin();
                env.spawnBackground("replica-moments", () -> run(hold, ending));
            }
        } finally {
            lock.unlock();
        }
    }

    /// The replica serves no more reads.
    public void remove(ReadReplica replica) {
        replicas.remove(replica);
    }

    /// Stops the thread. No replica is read any more.
    @Override
    public void close() {
        CompletableFuture<Boolean> ending;
        lock.lock();
        try {
            closed = true;
            ending = over;
        } finally {
            lock.unlock();
        }
        if (ending != null) {
            var _ = ending.join();
        }
    }

    /// Sets the first common moment. The replicas have not reached it yet.
    @GuardedBy("lock")
    private Timeline.Hold begin() {
        // Kept until the hold exists.
        long first = timeline.take();
        Timeline.Hold hold = timeline.hold(first);
        timeline.release(first);
        newest = first;
        common = new Reached(first, env.nanoTime() / 1000);
        return hold;
    }

    private void run(Timeline.Hold hold, CompletableFuture<Boolean> ending) {
        try (hold) {
            stepUntilOver(hold);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(ending);
        }
    }

    private void stepUntilOver(Timeline.Hold hold) throws InterruptedException {
        try {
            while (!isOver()) {
                step(hold);
                env.sleep(STEP);
            }
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "stale reads go to the leaders from now on", e);
            // Moments that are being read are kept until their readers end.
            while (isSomeTaken() && !closed) {
                env.sleep(STEP);
            }
        }
    }

    /// After this, nobody waits for the thread, and another may be started.
    private void end(CompletableFuture<Boolean> ending) {
        lock.lock();
        try {
            // If `isOver` has already completed it, the fields may belong to another thread.
            if (ending.complete(true)) {
                common = null;
                over = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether the thread has nothing more to do. If so, another thread may be started.
    private boolean isOver() {
        lock.lock();
        try {
            boolean ends = closed || (replicas.isEmpty() && !isSomeTaken());
            if (ends && over != null) {
                common = null;
                over.complete(true);
                over = null;
            }
            return ends;
        } finally {
            lock.unlock();
        }
    }

    /// Stops new readers, and returns whether moments are still being read. A reader that has taken
    /// a moment before is already counted.
    private boolean isSomeTaken() {
        common = null;
        return taken.oldest(Long.MAX_VALUE) < Long.MAX_VALUE;
    }

    private void step(Timeline.Hold hold) {
        long visible = timeline.visible();
        long steadyMicros = env.nanoTime() / 1000;
        replicas.forEach(replica -> replica.mark(visible, steadyMicros));
        long patientSince = steadyMicros - PATIENCE.toNanos() / 1000;
        Reached next = nextCommon(patientSince);
        Reached last = common;
        if (next == null && (last == null || last.steadyMicros() < patientSince)) {
            next = new Reached(visible, steadyMicros);
        }
        if (next != null) {
            newest = next.timestamp();
            common = next;
        }
        // A reader that is just taking a moment may briefly be seen with the previous newest one.
        // The hold is not moved back for it; the reader continues to a moment that is kept.
        hold.moveTo(Math.max(hold.timestamp(), taken.oldest(newest)));
    }

    /// The moment that all replicas have reached that are not behind `patientSince`; null if there
    /// is no such replica.
    private @Nullable Reached nextCommon(long patientSince) {
        long timestamp = Long.MAX_VALUE;
        long steadyMicros = Long.MAX_VALUE;
        for (ReadReplica replica : replicas) {
            Reached reached = replica.reached();
            // A replica that has restarted may be behind the others; nobody waits for it.
            if (reached != null
                    && reached.timestamp() >= newest
                    && !replica.isBehind(patientSince)) {
                timestamp = Math.min(timestamp, reached.timestamp());
                steadyMicros = Math.min(steadyMicros, reached.steadyMicros());
            }
        }
        return timestamp == Long.MAX_VALUE ? null : new Reached(timestamp, steadyMicros);
    }
}
