package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The rows of a table that were written, queued for one follower, such as an index. Cells add what
/// they apply; the follower takes it in timestamp order. The queue is in memory only: after a crash
/// the follower finds the changes in the row versions ([Tablet#changes]).
///
/// The queue is bounded: writers wait while it is full. If its follower does not hold writers, the
/// queue may grow further. Then it drops everything and is *lost* until it is begun again.
///
/// Threads: any. Cells call [#add] under their locks, so no thread blocks while it holds this lock.
public final class ChangeQueue {
    /// Default limit of the queued bytes. Beyond it, writers wait.
    public static final long FULL_BYTES = 16L << 20;

    /// The queue is lost at this multiple of the full size. The gap leaves room for whole
    /// transactions of writers that were already admitted.
    private static final long LOST_FACTOR = 8;

    /// Memory for one row in the queue, in addition to its bytes.
    private static final long ROW_BYTES = 64;

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final String name;
    private final long fullBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition room = lock.newCondition();

    @GuardedBy("lock")
    private final TreeMap<Long, List<TabletWrites>> changes = new TreeMap<>();

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private long rows;

    @GuardedBy("lock")
    private boolean lost;

    @GuardedBy("lock")
    private boolean closed;

    private volatile boolean full;
    private volatile boolean holdsWriters;

    /// `name` goes into the message for a refused writer.
    public ChangeQueue(String name, long fullBytes) {
        this.name = name;
        this.fullBytes = fullBytes;
    }

    /// Adds rows of one tablet that were written at this timestamp.
    void add(long timestamp, TabletWrites writes) {
        lock.lock();
        try {
            if (lost || closed) {
                return;
            }
            changes.computeIfAbsent(timestamp, _ -> new ArrayList<>(1)).add(writes);
            bytes += bytesOf(writes);
            rows += writes.changes().size();
            if (bytes > LOST_FACTOR * fullBytes) {
                lost = true;
                clear();
            }
            full = bytes > fullBytes;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long bytesOf(TabletWrites writes) {
        long sum = 0;
        for (KeyedChange change : writes.changes()) {
            sum += ROW_BYTES + change.key().length() + change.change().length();
        }
        return sum;
    }

    @GuardedBy("lock")
    private void clear() {
        changes.clear();
        bytes = 0;
        rows = 0;
        full = false;
        room.signalAll();
    }

    /// Whether a writer may proceed at once.
    boolean hasRoom() {
        return !full || !holdsWriters;
    }

    /// Returns when a writer may proceed. Throws OVERLOADED if that takes too long.
    void awaitRoom(Env env) {
        if (hasRoom()) {
            return;
        }
        long deadline = env.nanoTime() + PATIENCE.toNanos();
        lock.lock();
        try {
            while (full && holdsWriters && !closed) {
                if (env.nanoTime() - deadline >= 0) {
                    throw new StatusException(
                            Status.OVERLOADED,
                            "%s is behind by %d rows: try again later, or write more slowly"
                                    .formatted(name, rows));
                }
                env.await(room, LOOK_AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        } finally {
            lock.unlock();
        }
    }

    /// Sets whether writers wait while the queue is full.
    public void holdWriters(boolean hold) {
        holdsWriters = hold;
    }

    /// Waits until the queue has a change, or until `longest` has passed.
    public void await(Env env, Duration longest) throws InterruptedException {
        lock.lock();
        try {
            if (changes.isEmpty() && !lost && !closed) {
                env.await(arrived, longest);
            }
        } finally {
            lock.unlock();
        }
    }

    /// The timestamp of the oldest queued change.
    public OptionalLong first() {
        lock.lock();
        try {
            return changes.isEmpty() ? OptionalLong.empty() : OptionalLong.of(changes.firstKey());
        } finally {
            lock.unlock();
        }
    }

    /// How many rows wait. At least 1 if the number is unknown because the queue is lost.
    public long rows() {
        lock.lock();
        try {
            return lost ? 1 : rows;
        } finally {
            lock.unlock();
        }
    }

    public boolean isLost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /// Whether everything written so far was taken.
    public boolean isDone() {
        lock.lock();
        try {
            return changes.isEmpty() && !lost && !closed;
        } finally {
            lock.unlock();
        }
    }

    /// Changes taken from the queue: the timestamp of the first one, the timestamp up to which they
    /// are complete, and all keys.
    public record Taken(long first, long through, List<Bytes> keys) {
        public Taken {
            keys = List.copyOf(keys);
        }
    }

    /// Takes changes up to the timestamp `visible`, and stops soon after `wantedRows` keys.
    /// `through` is the timestamp up to which the answer is complete; it is 0 if the queue is lost
    /// or closed.
    public Taken take(long visible, int wantedRows) {
        var keys = new TreeSet<Bytes>();
        long first = visible;
        long through = visible;
        lock.lock();
        try {
            if (lost || closed) {
                return new Taken(0, 0, List.of());
            }
            if (!changes.isEmpty()) {
                first = Math.min(visible, changes.firstKey());
            }
            boolean enough = false;
            while (!enough && !changes.isEmpty() && changes.firstKey() <= visible) {
                var moment = changes.pollFirstEntry();
                for (TabletWrites writes : moment.getValue()) {
                    bytes -= bytesOf(writes);
                    rows -= writes.changes().size();
                    writes.changes().forEach(change -> keys.add(change.key()));
                }
                enough = keys.size() >= wantedRows;
                through = enough ? moment.getKey() : visible;
            }
            full = bytes > fullBytes;
            room.signalAll();
        } finally {
            lock.unlock();
        }
        return new Taken(first, through, List.copyOf(keys));
    }

    /// Empties the queue and collects changes from now on.
    public void begin() {
        lock.lock();
        try {
            lost = false;
            clear();
        } finally {
            lock.unlock();
        }
    }

    /// Wakes all waiting threads. The queue takes nothing more.
    public void close() {
        lock.lock();
        try {
            closed = true;
            clear();
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
