package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.TabletWrites.KeyedChange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Which rows of a table were written, for one who follows it: the cells put in what they apply,
/// the follower takes it out by the order of time. It is in memory only: what it had at a crash is
/// found again in the versions of the rows ([Tablet#changes]).
///
/// Bounded: writers wait while it is full. A queue that grows past that all the same, because its
/// follower does not hold writers up, lets go of everything and is *lost* until it is begun again.
///
/// Threads: any. Cells call [#add] under their locks, so nobody waits under this one's.
public final class ChangeQueue {
    /// Of what waits, if nothing else is said. Beyond it, writers wait.
    public static final long FULL_BYTES = 16L << 20;

    /// It is lost at so many times of what makes it full: a writer that was let in may bring a
    /// whole transaction.
    private static final long LOST_FACTOR = 8;

    /// What a row takes here beside its bytes.
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

    /// `name` is what a refused writer hears of.
    public ChangeQueue(String name, long fullBytes) {
        this.name = name;
        this.fullBytes = fullBytes;
    }

    /// Rows of one tablet were written at this moment.
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

    /// Whether a writer may go on at once.
    boolean hasRoom() {
        return !full || !holdsWriters;
    }

    /// Returns when a writer may go on; OVERLOADED when it has waited for long.
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

    /// Whether writers wait while it is full.
    public void holdWriters(boolean hold) {
        holdsWriters = hold;
    }

    /// Waits until something is there, or this time has passed.
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

    /// The moment of the first change that is here.
    public OptionalLong first() {
        lock.lock();
        try {
            return changes.isEmpty() ? OptionalLong.empty() : OptionalLong.of(changes.firstKey());
        } finally {
            lock.unlock();
        }
    }

    /// How many rows wait; at least one where it is not known.
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

    /// Whether nothing waits that was written up to now.
    public boolean isDone() {
        lock.lock();
        try {
            return changes.isEmpty() && !lost && !closed;
        } finally {
            lock.unlock();
        }
    }

    /// What was written up to some moment: the first such change, and all keys.
    public record Taken(long first, long through, List<Bytes> keys) {
        public Taken {
            keys = List.copyOf(keys);
        }
    }

    /// Takes out what was written up to this moment, which is visible; so much that it is not many
    /// more rows than asked for. `through` says up to which moment it is all: up to none, when it
    /// was lost or closed.
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

    /// Empties it, and takes in what comes from now on.
    public void begin() {
        lock.lock();
        try {
            lost = false;
            clear();
        } finally {
            lock.unlock();
        }
    }

    /// Wakes whoever waits, and takes nothing more.
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
