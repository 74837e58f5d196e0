package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.tablet.ReadReplica.Reached;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/// The moments at which stale reads see the read replicas of all cells: one for all, so that what
/// is read in several cells is of one moment, too.
///
/// Every few milliseconds the newest moment of the timeline is noted in each replica, which says
/// when it has come there. The *common* moment is the newest that all of them have reached; those
/// that are too far behind do not count, and do not serve. While none serves it moves in larger
/// steps, so that replicas can come to it. It never goes back, and versions that it sees are kept
/// as for every snapshot.
///
/// Threads: any. Whoever reads takes no lock but that of its stripe.
public final class ReplicaMoments implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ReplicaMoments.class.getName());

    /// How old an answer is at least, on average half of it more.
    private static final Duration STEP = Duration.ofMillis(4);

    /// A replica that has not come to a moment after this time holds the others back no longer; and
    /// the common moment is not older than that, whoever serves.
    static final Duration PATIENCE = Duration.ofMillis(500);

    private final Timeline timeline;
    private final Env env;
    private final SharedSnapshots taken = new SharedSnapshots();
    private final List<ReadReplica> replicas = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /// Ends when the thread that runs has ended.
    @GuardedBy("lock")
    private @Nullable CompletableFuture<Boolean> over;

    private volatile boolean closed;

    /// The common moment; null while there are no replicas.
    private volatile @Nullable Reached common;

    /// The common moment, or the last there was. Never falls.
    private volatile long newest;

    public ReplicaMoments(Timeline timeline, Env env) {
        this.timeline = timeline;
        this.env = env;
    }

    /// A moment to read at, kept until it is released.
    ///
    /// @param steadyMicros when it was the newest there was
    public record Taken(long timestamp, long steadyMicros) {}

    /// The common moment, if there is one.
    public Optional<Taken> take() {
        Reached atLeast = common;
        if (atLeast == null) {
            return Optional.empty();
        }
        long timestamp = taken.take(() -> newest);
        // Again, now that it is counted: a thread that ends makes it null, and then looks for
        // readers.
        if (common == null) {
            taken.release(timestamp);
            return Optional.empty();
        }
        return Optional.of(new Taken(timestamp, atLeast.steadyMicros()));
    }

    /// The moment that would be taken now.
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

    /// It serves no more.
    public void remove(ReadReplica replica) {
        replicas.remove(replica);
    }

    /// Nobody reads replicas any more.
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

    /// The first common moment: replicas have yet to come to it.
    @GuardedBy("lock")
    private Timeline.Hold begin() {
        // Kept until the hold is there.
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
            // What is being read is kept to the end.
            while (isSomeTaken() && !closed) {
                env.sleep(STEP);
            }
        }
    }

    /// However the thread has ended, nobody waits for it, and another may be begun.
    private void end(CompletableFuture<Boolean> ending) {
        lock.lock();
        try {
            // Unless it has seen itself that it is over: what is here then may be another's.
            if (ending.complete(true)) {
                common = null;
                over = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether nothing is to be done any more. If so, another thread may be begun.
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

    /// Nobody takes any more who is not counted by then.
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
        // One that is just being taken may be seen for a moment with what was the newest before it:
        // it goes on from there, to a moment that is kept.
        hold.moveTo(Math.max(hold.timestamp(), taken.oldest(newest)));
    }

    /// What all replicas have reached that are not behind this time; null if there are none.
    private @Nullable Reached nextCommon(long patientSince) {
        long timestamp = Long.MAX_VALUE;
        long steadyMicros = Long.MAX_VALUE;
        for (ReadReplica replica : replicas) {
            Reached reached = replica.reached();
            // One that has come anew may be behind the others, and is waited for by nobody.
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
