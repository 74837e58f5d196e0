package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The one line of time of all cells of a node: when commits are, which moment may be read, and
/// which moments are being read.
///
/// Timestamps grow strictly and stay close to wall time in microseconds. A clock that jumps back
/// does not take them with it: they then grow by one until the clock has caught up.
///
/// A timestamp is *in flight* from [#begin] to [#end]. The visible moment is the greatest with
/// nothing in flight at or before it, so a snapshot sees all of a commit or nothing, in whatever
/// cells it is. When a log fails, nobody knows what of it is durable: the visible moment stays
/// where it is, and everything in flight fails, in all cells.
///
/// Invariant: a snapshot that was taken and not released is at least [#oldest].
public final class Timeline {
    private final Env env;
    private final Leadership leadership;
    private final SharedSnapshots live = new SharedSnapshots();
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /// In the order of their timestamps.
    @GuardedBy("lock")
    private final ArrayDeque<Moment> inFlight = new ArrayDeque<>();

    @GuardedBy("lock")
    private long last;

    /// Written under the lock; never falls.
    private volatile long visible;

    private volatile @Nullable LogException failure;

    /// As it was told last, and be it over; null before. Written under the lock.
    private volatile @Nullable Stall stall;

    /// @param lasts whether the log still does not answer
    private record Stall(LogException why, BooleanSupplier lasts) {}

    public Timeline(Env env) {
        this(env, Leadership.ALONE);
    }

    public Timeline(Env env, Leadership leadership) {
        this.env = env;
        this.leadership = leadership;
    }

    /// A commit's place in time.
    public static final class Moment {
        private final long timestamp;

        /// Whoever waits wants to know when it takes long.
        private final boolean impatient;

        private final CompletableFuture<@Nullable LogException> passed = new CompletableFuture<>();

        // Guarded by the timeline's lock.
        private boolean ended;

        private Moment(long timestamp, boolean impatient) {
            this.timestamp = timestamp;
            this.impatient = impatient;
        }

        public long timestamp() {
            return timestamp;
        }

        /// Waits until the visible moment has reached this one; or says why it never will, or not
        /// in time.
        @Nullable LogException await() {
            return passed.join();
        }

        /// Calls back with what [#await] returns: on the thread of the log, or at once.
        void whenPassed(Consumer<@Nullable LogException> listener) {
            var _ = passed.thenAccept(listener);
        }
    }

    /// The next timestamp, in flight. Whoever has it ends it, whatever happens.
    public Moment begin() {
        return begin(false);
    }

    /// The same for one who is told when a log does not answer for long, and can live with not
    /// knowing what becomes of it.
    Moment beginImpatient() {
        return begin(true);
    }

    private Moment begin(boolean impatient) {
        lock.lock();
        try {
            last = Math.max(last + 1, env.wallMicros());
            var moment = new Moment(last, impatient);
            LogException failed = failure;
            if (failed == null) {
                inFlight.add(moment);
            } else {
                moment.passed.complete(failed);
            }
            return moment;
        } finally {
            lock.unlock();
        }
    }

    /// A number that no other call returns, on this line of time or one that goes on behind it.
    public long newId() {
        lock.lock();
        try {
            last = Math.max(last + 1, env.wallMicros());
            return last;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the visible moment has reached this timestamp, which [#begin] gave out; or says
    /// why it never will.
    public @Nullable String await(long timestamp) {
        @Nullable Moment moment = inFlight(timestamp);
        LogException failed = moment == null ? failure : moment.await();
        return timestamp <= visible || failed == null ? null : failed.getMessage();
    }

    private @Nullable Moment inFlight(long timestamp) {
        lock.lock();
        try {
            for (Moment moment : inFlight) {
                if (moment.timestamp == timestamp) {
                    return moment;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// What happens at this moment is durable and in the memtables, or will never be anywhere.
    public void end(Moment moment) {
        List<Moment> passed = new ArrayList<>();
        lock.lock();
        try {
            moment.ended = true;
            if (failure == null) {
                while (!inFlight.isEmpty() && inFlight.getFirst().ended) {
                    passed.add(inFlight.removeFirst());
                }
                if (!passed.isEmpty()) {
                    visible = passed.getLast().timestamp;
                }
            }
        } finally {
            lock.unlock();
        }
        passed.forEach(each -> each.passed.complete(null));
        LogException failed = failure;
        if (failed != null) {
            // Has an effect only on those that have not passed.
            moment.passed.complete(failed);
        }
    }

    /// A log does not answer for long. Whoever is impatient is told so, and does not know what
    /// becomes of it; but everything stays in flight, and passes when the log goes on. It is called
    /// again and again until `lasts` says no.
    void stall(LogException why, BooleanSupplier lasts) {
        List<Moment> waiting;
        lock.lock();
        try {
            stall = new Stall(why, lasts);
            waiting = inFlight.stream().filter(each -> each.impatient).toList();
        } finally {
            lock.unlock();
        }
        waiting.forEach(each -> each.passed.complete(why));
    }

    /// Why a commit would not pass soon, in whatever cell it is: moments pass one after the other.
    Optional<String> stalled() {
        Stall told = stall;
        return told != null && told.lasts.getAsBoolean()
                ? Optional.of(String.valueOf(told.why.getMessage()))
                : Optional.empty();
    }

    /// A log has failed.
    void fail(LogException cause) {
        List<Moment> lost;
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            lost = List.copyOf(inFlight);
            inFlight.clear();
        } finally {
            lock.unlock();
        }
        lost.forEach(each -> each.passed.complete(cause));
    }

    /// Why no commit will ever be visible any more; null while all is well.
    @Nullable LogException failure() {
        return failure;
    }

    /// The newest moment that this process knows of, kept until it is released.
    public long take() {
        return live.take(this::visible);
    }

    /// The newest moment that there is, kept until it is released; UNAVAILABLE while it is not
    /// certain that no other process leads, and has newer ones.
    public long takeNewest() {
        long moment = take();
        // In this order: it is certain for a time after the moment was taken.
        if (!isCertainToLead()) {
            release(moment);
            throw uncertain();
        }
        return moment;
    }

    /// The same, kept by nobody: for one who has got hold of what it reads before it asks, so that
    /// nothing of that can be compacted away. Takes no note of the reader, which costs more than
    /// many a read.
    public long newest() {
        long moment = visible;
        if (!isCertainToLead()) {
            throw uncertain();
        }
        return moment;
    }

    private boolean isCertainToLead() {
        long until = leadership.certainUntilNanos();
        return until == Leadership.FOREVER || env.nanoTime() - until < 0;
    }

    private static StatusException uncertain() {
        return new StatusException(
                Status.UNAVAILABLE,
                "this node cannot tell whether it still leads, and another one may have newer"
                        + " rows; it goes on by itself when it can");
    }

    public void release(long timestamp) {
        live.release(timestamp);
    }

    /// Keeps this moment, and so every version that is later, for as long as it is open. The caller
    /// sees to it that the moment is kept until then, or that it does not matter.
    public Hold hold(long timestamp) {
        var hold = new Hold(timestamp);
        holds.add(hold);
        return hold;
    }

    /// A moment that someone keeps for long, and that goes on with time.
    public final class Hold implements AutoCloseable {
        private volatile long timestamp;

        private Hold(long timestamp) {
            this.timestamp = timestamp;
        }

        public long timestamp() {
            return timestamp;
        }

        /// To a later moment.
        public void moveTo(long later) {
            Check.that(later >= timestamp, "a hold goes from %d to %d", timestamp, later);
            timestamp = later;
        }

        @Override
        public void close() {
            holds.remove(this);
        }
    }

    /// No reader, now or later, reads a moment before this one.
    long oldest() {
        long oldest = live.oldest(visible);
        for (Hold hold : holds) {
            oldest = Math.min(oldest, hold.timestamp);
        }
        return oldest;
    }

    /// The newest moment that can be read.
    public long visible() {
        return visible;
    }

    /// Everything up to here has happened: called with what a log remembers, before anything is in
    /// flight.
    void skipPast(long timestamp) {
        lock.lock();
        try {
            last = Math.max(last, timestamp);
            if (inFlight.isEmpty()) {
                visible = Math.max(visible, last);
            }
        } finally {
            lock.unlock();
        }
    }
}
