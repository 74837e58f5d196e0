package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// The optimistic locks on one tablet: who has read which keys and ranges.
///
/// A reader adds its lock *before* it reads; a writer first puts its version into the memtable and
/// then calls [#breakLocks]. So either the writer finds the lock, or the reader, coming later,
/// meets the newer version and breaks its own lock: no conflict goes unseen.
final class LockTable {
    private final long tableId;
    private final Engagements engagements;
    private final ReentrantLock lock = new ReentrantLock();

    /// How many owners there are, so that a writer need not take the lock where nobody reads.
    private final AtomicInteger ownerCount = new AtomicInteger();

    @GuardedBy("lock")
    private final Map<Bytes, Set<ReadLocks>> points = new HashMap<>();

    @GuardedBy("lock")
    private final Map<ReadLocks, Held> owners = new HashMap<>();

    @GuardedBy("lock")
    private long acquired;

    @GuardedBy("lock")
    private long broken;

    /// Of those, the ones that became locks of the whole tablet.
    @GuardedBy("lock")
    private long acquiredWhole;

    /// The tablet is retired, and its locks are with its successors.
    @GuardedBy("lock")
    private boolean closed;

    LockTable(long tableId, long cellId) {
        this.tableId = tableId;
        engagements = new Engagements(cellId, this);
    }

    /// Of the same tablet.
    Engagements engagements() {
        return engagements;
    }

    /// What one owner holds here; `ranges` is short, for a range that holds another takes its
    /// place.
    private static final class Held {
        final Set<Bytes> points = new HashSet<>();
        final List<KeyRange> ranges = new ArrayList<>();

        int size() {
            return points.size() + ranges.size();
        }
    }

    /// False when the table is closed.
    boolean addPoint(ReadLocks owner, Bytes key) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            Held held = held(owner);
            if (held.points.contains(key) || covered(held, key)) {
                return true;
            }
            acquired++;
            if (held.points.size() >= ReadLocks.MAX_POINTS_PER_TABLET) {
                addRange(owner, held, KeyRange.ALL);
            } else if (held.points.add(key)) {
                points.computeIfAbsent(key, _ -> new HashSet<>(2)).add(owner);
                owner.added(1);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// False when the table is closed.
    boolean addRange(ReadLocks owner, KeyRange range) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            acquired++;
            Held held = held(owner);
            boolean escalate = held.ranges.size() >= ReadLocks.MAX_POINTS_PER_TABLET;
            addRange(owner, held, escalate ? KeyRange.ALL : range);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Breaks the lock of everyone but `except` who has read the key. Called by the cell's writer.
    void breakLocks(Bytes key, @Nullable ReadLocks except) {
        if (ownerCount.get() == 0) {
            return;
        }
        lock.lock();
        try {
            for (ReadLocks owner : points.getOrDefault(key, Set.of())) {
                breakUnless(owner, except);
            }
            owners.forEach(
                    (owner, held) -> {
                        if (held.ranges.stream().anyMatch(range -> range.contains(key))) {
                            breakUnless(owner, except);
                        }
                    });
        } finally {
            lock.unlock();
        }
    }

    /// Breaks the lock of everyone who has read anything of the range.
    void breakLocks(KeyRange range) {
        if (ownerCount.get() == 0) {
            return;
        }
        lock.lock();
        try {
            owners.forEach(
                    (owner, held) -> {
                        if (held.points.stream().anyMatch(range::contains)
                                || held.ranges.stream().anyMatch(range::intersects)) {
                            breakUnless(owner, null);
                        }
                    });
        } finally {
            lock.unlock();
        }
    }

    /// Gives every lock to those of these tables whose keys it is on, and closes this one. The
    /// others are not in use yet, or of tablets beside this one.
    void handOver(KeyRange own, List<Heir> heirs) {
        List<ReadLocks> moved;
        lock.lock();
        try {
            closed = true;
            moved = List.copyOf(owners.keySet());
            owners.forEach((owner, held) -> heirs.forEach(heir -> heir.take(owner, held, own)));
            owners.forEach((owner, held) -> owner.added(-held.size()));
            owners.clear();
            points.clear();
            ownerCount.set(0);
        } finally {
            lock.unlock();
        }
        for (ReadLocks owner : moved) {
            if (owner.released()) {
                heirs.forEach(heir -> heir.table.remove(owner));
            }
        }
    }

    /// A table that takes over the locks on a range.
    record Heir(LockTable table, KeyRange range) {
        private void take(ReadLocks owner, Held held, KeyRange from) {
            KeyRange common = range.intersection(from);
            for (Bytes key : held.points) {
                if (common.contains(key)) {
                    Check.that(table.addPoint(owner, key), "an heir that is closed");
                }
            }
            for (KeyRange each : held.ranges) {
                KeyRange part = each.intersection(common);
                if (!part.isEmpty()) {
                    Check.that(table.addRange(owner, part), "an heir that is closed");
                }
            }
        }
    }

    void remove(ReadLocks owner) {
        lock.lock();
        try {
            Held held = owners.remove(owner);
            if (held == null) {
                return;
            }
            ownerCount.decrementAndGet();
            held.points.forEach(key -> removePoint(owner, key));
        } finally {
            lock.unlock();
        }
    }

    /// Whether the owner has any lock here.
    boolean holds(ReadLocks owner) {
        lock.lock();
        try {
            return owners.containsKey(owner);
        } finally {
            lock.unlock();
        }
    }

    boolean holds(ReadLocks owner, Bytes key) {
        return holdsAny(owner, List.of(key));
    }

    boolean holdsAny(ReadLocks owner, List<Bytes> keys) {
        lock.lock();
        try {
            Held held = owners.get(owner);
            return held != null
                    && keys.stream()
                            .anyMatch(key -> held.points.contains(key) || covered(held, key));
        } finally {
            lock.unlock();
        }
    }

    boolean holdsAny(ReadLocks owner, KeyRange range) {
        lock.lock();
        try {
            Held held = owners.get(owner);
            return held != null
                    && (held.points.stream().anyMatch(range::contains)
                            || held.ranges.stream().anyMatch(range::intersects));
        } finally {
            lock.unlock();
        }
    }

    /// Of all that were ever here.
    Tablet.Locks counts() {
        lock.lock();
        try {
            return new Tablet.Locks(acquired, acquiredWhole, broken);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Held held(ReadLocks owner) {
        Held held = owners.get(owner);
        if (held == null) {
            held = new Held();
            owners.put(owner, held);
            ownerCount.incrementAndGet();
            owner.remember(this);
        }
        return held;
    }

    @GuardedBy("lock")
    private void addRange(ReadLocks owner, Held held, KeyRange range) {
        if (held.ranges.contains(range) || held.ranges.contains(KeyRange.ALL)) {
            return;
        }
        if (range.equals(KeyRange.ALL)) {
            acquiredWhole++;
            owner.added(-held.size());
            held.ranges.clear();
            held.points.forEach(key -> removePoint(owner, key));
            held.points.clear();
        }
        held.ranges.add(range);
        owner.added(1);
    }

    @GuardedBy("lock")
    private void removePoint(ReadLocks owner, Bytes key) {
        Set<ReadLocks> holders = points.get(key);
        if (holders != null && holders.remove(owner) && holders.isEmpty()) {
            points.remove(key);
        }
    }

    @GuardedBy("lock")
    private void breakUnless(ReadLocks owner, @Nullable ReadLocks except) {
        if (owner != except && !owner.broken()) {
            owner.breakIn(tableId);
            broken++;
        }
    }

    private static boolean covered(Held held, Bytes key) {
        for (KeyRange range : held.ranges) {
            if (range.contains(key)) {
                return true;
            }
        }
        return false;
    }
}
