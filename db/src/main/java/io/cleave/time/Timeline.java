package io.cleave.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.Completion;
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

/// The timeline of all cells of a node: assigns commit timestamps, and knows which timestamp may be
/// read and which are being read.
///
/// Timestamps grow strictly and stay close to wall time in microseconds. If the clock jumps back,
/// they grow by one until the clock has caught up.
///
/// Each cell has a [Lane]: its commits in flight, and whether its log stalls or has failed. A
/// timestamp is *in flight* from [Lane#begin] to [#end]. The visible timestamp of a lane is its
/// greatest with nothing of the lane in flight at or before it. The visible timestamp of the node
/// is the least over its lanes, so a snapshot sees all of a commit or nothing, in whichever cells
/// it is.
///
/// When a log fails, it is unknown which of its records are durable. The slots of its lane will
/// never end, and a snapshot is one number for all cells. So a failed lane stops the whole node:
/// the visible timestamp no longer advances, and everything in flight fails, in all lanes.
///
/// Invariant: a snapshot that was taken and not released is at least [#oldest].
///
/// Threads: any.
public final class Timeline {
    // ---- constant after construction

    private final Env env;
    private final Leadership leadership;

    /// For slots that belong to no cell.
    private final Lane own = new Lane();

    // ---- own synchronisation

    private final SharedSnapshots live = new SharedSnapshots();
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final List<Lane> lanes = new CopyOnWriteArrayList<>();

    /// The visible timestamp of the node. Written under the lock; never decreases. A read of the
    /// newest row reads this field and nothing else here.
    private volatile long visible;

    /// The failure of the first lane that failed. Written under the lock.
    private volatile @Nullable LogException failure;

    /// Set when a lane has stalled for the first time: until then commits need not look at lanes.
    private volatile boolean hasStalled;

    // ---- guarded by the lock

    private final ReentrantLock lock = new ReentrantLock();

    /// The slots of all lanes that have not passed, in timestamp order.
    @GuardedBy("lock")
    private final ArrayDeque<CommitSlot> inFlight = new ArrayDeque<>();

    @GuardedBy("lock")
    private long last;

    public Timeline(Env env) {
        this(env, Leadership.ALONE);
    }

    public Timeline(Env env, Leadership leadership) {
        this.env = env;
        this.leadership = leadership;
    }

    /// What a commit does while a log stalls.
    public enum OnStall {
        WAIT,
        /// The waiting thread is told. The outcome of its commit is unknown to it then.
        TELL
    }

    /// The timestamp of a commit, and its progress. As a [Completion] it expects the commit's only
    /// record: it ends when that is durable, and fails its lane if it is not.
    public final class CommitSlot implements Completion {
        private final Lane lane;
        private final long timestamp;
        private final OnStall onStall;

        private final CompletableFuture<@Nullable LogException> passed = new CompletableFuture<>();

        // Guarded by the timeline's lock.
        private boolean ended;

        private CommitSlot(Lane lane, long timestamp, OnStall onStall) {
            this.lane = lane;
            this.timestamp = timestamp;
            this.onStall = onStall;
        }

        public long timestamp() {
            return timestamp;
        }

        /// Waits until this slot is visible, and returns null. Returns the reason if it will never
        /// be visible, or if a log stalls and the slot is to be told.
        public @Nullable LogException await() {
            return passed.join();
        }

        @Override
        public void completed(long position, @Nullable LogException failed) {
            if (failed == null) {
                end(this);
            } else {
                lane.fail(failed);
            }
        }

        /// Calls back with the result of [#await]: on the thread of the log, or at once.
        public void whenPassed(Consumer<@Nullable LogException> listener) {
            var _ = passed.thenAccept(listener);
        }
    }

    /// The part of the timeline that belongs to one cell. Threads: any.
    public final class Lane {
        /// Why no commit of this cell will become visible any more; null while there is no reason.
        private volatile @Nullable LogException failure;

        /// The last reported stall, even if it has ended; null if there was none.
        private volatile @Nullable Stall stall;

        /// Written under the timeline's lock.
        private volatile long visible;

        // Guarded by the timeline's lock: the slots of this lane that have not ended, in timestamp
        // order.
        private final ArrayDeque<CommitSlot> inFlight = new ArrayDeque<>();

        /// Assigns the next timestamp and puts it in flight. The caller must end it in every case.
        public CommitSlot begin(OnStall onStall) {
            return Timeline.this.begin(this, onStall);
        }

        /// Reports that the cell's log has failed.
        public void fail(LogException cause) {
            Timeline.this.fail(this, cause);
        }

        /// Null while the cell's log works.
        public @Nullable LogException failure() {
            return failure;
        }

        /// Reports that the cell's log does not answer. Waiters with [OnStall#TELL] learn it, in
        /// all lanes, because slots pass in order; the outcome of their commits is unknown.
        /// Everything stays in flight, and passes when the log answers again. The log calls this
        /// repeatedly until `lasts` returns false.
        public void stall(LogException why, BooleanSupplier lasts) {
            stall = new Stall(why, lasts);
            hasStalled = true;
            tellOfStall(why);
        }

        /// The newest timestamp of this cell with none of its commits in flight at or before it.
        long visible() {
            return visible;
        }

        /// Continues after this timestamp. Called with the newest timestamp of the cell's log,
        /// before anything is in flight.
        public void skipPast(long timestamp) {
            Timeline.this.skipPast(this, timestamp);
        }

        /// Ends the lane of a cell that is closed. Nothing of it is in flight.
        public void close() {
            Timeline.this.close(this);
        }

        private @Nullable String stalled() {
            Stall told = stall;
            return told != null && told.lasts.getAsBoolean()
                    ? String.valueOf(told.why.getMessage())
                    : null;
        }
    }

    /// @param lasts whether the log still does not answer
    private record Stall(LogException why, BooleanSupplier lasts) {}

    /// A lane for a cell that is being opened.
    public Lane openLane() {
        var lane = new Lane();
        lanes.add(lane);
        return lane;
    }

    private void close(Lane lane) {
        lock.lock();
        try {
            Check.that(
                    lane.inFlight.isEmpty(),
                    "a lane ends with %d commits in flight",
                    lane.inFlight.size());
            lanes.remove(lane);
        } finally {
            lock.unlock();
        }
    }

    /// Assigns the next timestamp to something that no cell logs. The caller must end it in every
    /// case.
    public CommitSlot begin() {
        return begin(own, OnStall.WAIT);
    }

    private CommitSlot begin(Lane lane, OnStall onStall) {
        lock.lock();
        try {
            last = Math.max(last + 1, env.wallMicros());
            var slot = new CommitSlot(lane, last, onStall);
            LogException failed = failure;
            if (failed == null) {
                inFlight.add(slot);
                lane.inFlight.add(slot);
            } else {
                slot.passed.complete(failed);
            }
            return slot;
        } finally {
            lock.unlock();
        }
    }

    /// A number that no other call returns, on this timeline or on one that continues it.
    public long newId() {
        lock.lock();
        try {
            last = Math.max(last + 1, env.wallMicros());
            return last;
        } finally {
            lock.unlock();
        }
    }

    /// A timestamp that can be read at once: it is after every commit that has begun, and before
    /// every commit that begins later. Each call returns a later one. Waits for the commits in
    /// flight. Throws UNAVAILABLE if they will not end soon, or if another process may lead.
    public long pass() {
        Optional<String> stalled = stalled();
        if (stalled.isPresent()) {
            throw new StatusException(Status.UNAVAILABLE, stalled.get());
        }
        CommitSlot slot = begin(own, OnStall.TELL);
        end(slot);
        LogException failed = slot.await();
        if (failed != null) {
            throw new StatusException(Status.UNAVAILABLE, String.valueOf(failed.getMessage()));
        }
        // The order matters, as in `takeNewest`.
        if (!isCertainToLead()) {
            throw uncertain();
        }
        return slot.timestamp;
    }

    /// Waits until this timestamp, which `begin` has assigned, is visible, and returns null.
    /// Returns the reason if it will never be visible.
    public @Nullable String await(long timestamp) {
        @Nullable CommitSlot slot = inFlight(timestamp);
        LogException failed = slot == null ? failure : slot.await();
        return timestamp <= visible || failed == null ? null : failed.getMessage();
    }

    private @Nullable CommitSlot inFlight(long timestamp) {
        lock.lock();
        try {
            for (CommitSlot slot : inFlight) {
                if (slot.timestamp == timestamp) {
                    return slot;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Ends a slot: its changes are durable and in the memtables, or will never exist.
    public void end(CommitSlot slot) {
        List<CommitSlot> passed = new ArrayList<>();
        lock.lock();
        try {
            slot.ended = true;
            if (failure == null) {
                Lane lane = slot.lane;
                while (!lane.inFlight.isEmpty() && lane.inFlight.getFirst().ended) {
                    lane.visible = lane.inFlight.removeFirst().timestamp;
                }
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
            // Has no effect on slots that have passed.
            slot.passed.complete(failed);
        }
    }

    private void tellOfStall(LogException why) {
        List<CommitSlot> waiting;
        lock.lock();
        try {
            waiting = inFlight.stream().filter(each -> each.onStall == OnStall.TELL).toList();
        } finally {
            lock.unlock();
        }
        waiting.forEach(each -> each.passed.complete(why));
    }

    /// Why a commit in any cell would not become visible soon. All cells are affected, because
    /// slots pass in order.
    public Optional<String> stalled() {
        if (hasStalled) {
            for (Lane lane : lanes) {
                String why = lane.stalled();
                if (why != null) {
                    return Optional.of(why);
                }
            }
        }
        return Optional.empty();
    }

    private void fail(Lane lane, LogException cause) {
        List<CommitSlot> lost;
        lock.lock();
        try {
            if (lane.failure == null) {
                lane.failure = cause;
            }
            if (failure == null) {
                failure = cause;
            }
            lost = List.copyOf(inFlight);
            inFlight.clear();
            lanes.forEach(each -> each.inFlight.clear());
            own.inFlight.clear();
        } finally {
            lock.unlock();
        }
        lost.forEach(each -> each.passed.complete(cause));
    }

    /// The reason why no commit will become visible any more, in any cell; null while there is
    /// none.
    public @Nullable LogException failure() {
        return failure;
    }

    /// Takes a snapshot of the newest timestamp that this process knows. It is kept until it is
    /// released.
    public long take() {
        return live.take(this::visible);
    }

    /// Takes a snapshot of the newest timestamp of the database. It is kept until it is released.
    /// Throws UNAVAILABLE while it is not certain that no other process leads and has newer ones.
    public long takeNewest() {
        long timestamp = take();
        // The order matters: leadership must be certain after the timestamp was taken.
        if (!isCertainToLead()) {
            release(timestamp);
            throw uncertain();
        }
        return timestamp;
    }

    /// Like `takeNewest`, but the timestamp is not kept. The caller must have pinned what it reads
    /// before this call, so that nothing of it can be compacted away. This saves registering the
    /// reader, which costs more than a small read.
    public long newest() {
        long timestamp = visible;
        if (!isCertainToLead()) {
            throw uncertain();
        }
        return timestamp;
    }

    private boolean isCertainToLead() {
        long until = leadership.certainUntilNanos();
        return until == Leadership.FOREVER || env.nanoTime() - until < 0;
    }

    private static StatusException uncertain() {
        return new StatusException(
                Status.UNAVAILABLE,
                "this node may no longer be the leader; it resumes automatically when it can"
                        + " confirm that it is");
    }

    public void release(long timestamp) {
        live.release(timestamp);
    }

    /// Keeps this timestamp, and so every later version, until the hold is closed. The caller makes
    /// sure that the timestamp is kept until the hold exists, or that it does not matter.
    public Hold hold(long timestamp) {
        var hold = new Hold(timestamp);
        holds.add(hold);
        return hold;
    }

    /// A timestamp that is kept for a long time, and may move forward.
    public final class Hold implements AutoCloseable {
        private volatile long timestamp;

        private Hold(long timestamp) {
            this.timestamp = timestamp;
        }

        public long timestamp() {
            return timestamp;
        }

        /// Moves the hold to a later timestamp.
        public void moveTo(long later) {
            Check.that(later >= timestamp, "a hold goes from %d to %d", timestamp, later);
            timestamp = later;
        }

        @Override
        public void close() {
            holds.remove(this);
        }
    }

    /// No reader reads an earlier timestamp, now or later.
    public long oldest() {
        long oldest = live.oldest(visible);
        for (Hold hold : holds) {
            oldest = Math.min(oldest, hold.timestamp);
        }
        return oldest;
    }

    /// The timestamps that compaction must respect.
    ///
    /// @param oldest no reader reads an earlier timestamp, unless it reads the past of a tree that
    ///   keeps a history
    /// @param visible the newest timestamp that could be read. It was taken before `oldest`, so a
    ///   reader that holds a timestamp and finds it retained then is not disturbed by a compaction
    ///   that has not seen the hold.
    public record Horizon(long oldest, long visible) {}

    public Horizon horizon() {
        long newest = visible;
        return new Horizon(oldest(), newest);
    }

    /// The newest timestamp that can be read.
    public long visible() {
        return visible;
    }

    private void skipPast(Lane lane, long timestamp) {
        lock.lock();
        try {
            last = Math.max(last, timestamp);
            lane.visible = Math.max(lane.visible, timestamp);
            if (inFlight.isEmpty()) {
                visible = Math.max(visible, last);
            }
        } finally {
            lock.unlock();
        }
    }
}
