package io.cleave.tablet.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockCounts;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// The optimistic locks on one tablet: which transactions have read which keys and ranges.
///
/// A reader adds its lock *before* it reads. A writer first puts its version into the memtable and
/// then calls [#breakLocks]. So either the writer finds the lock, or the reader finds the newer
/// version and breaks its own lock: no conflict is missed.
///
/// Threads: any.
public final class LockTable {
    // ---- constant after construction

    private final long tableId;

    // ---- own synchronisation

    private final CellLocks cell;
    private final LockTraces traces = new LockTraces();

    /// Number of owners. Lets a writer skip the lock if nobody reads.
    private final AtomicInteger ownerCount = new AtomicInteger();

    // ---- guarded by the cell's lock

    private final Engagements engagements;

    // ---- guarded by the lock

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Bytes, Set<ReadLocks>> points = new HashMap<>();

    @GuardedBy("lock")
    private final Map<ReadLocks, OwnerLocks> owners = new HashMap<>();

    @GuardedBy("lock")
    private long acquired;

    @GuardedBy("lock")
    private long broken;

    /// How many of the acquired locks are on the whole tablet.
    @GuardedBy("lock")
    private long acquiredWhole;

    /// Set when the tablet is retired and its locks have moved to its successors.
    @GuardedBy("lock")
    private boolean closed;

    /// `cell` is of the cell that has the tablet.
    public LockTable(long tableId, CellLocks cell) {
        this.tableId = tableId;
        this.cell = cell;
        engagements = new Engagements(cell.cellId(), this);
    }

    /// The engagements of the same tablet.
    public Engagements engagements() {
        return engagements;
    }

    /// The row locks of committed transactions on the same tablet.
    public LockTraces traces() {
        return traces;
    }

    /// What one owner holds here. `ranges` is bounded: too many become one lock on the whole
    /// tablet.
    private static final class OwnerLocks {
        final Set<Bytes> points = new HashSet<>();
        final List<KeyRange> ranges = new ArrayList<>();

        /// The size of all keys of the points and ranges.
        long keyBytes;

        int size() {
            return points.size() + ranges.size();
        }
    }

    /// Returns false if this lock table is closed.
    public boolean addPoint(ReadLocks owner, Bytes key) {
        lock.lock();
        try {
            if (closed) {
                register(owner);
                return false;
            }
            OwnerLocks held = ownerLocks(owner);
            if (held.points.contains(key) || covered(held, key)) {
                return true;
            }
            acquired++;
            if (held.points.size() >= ReadLocks.MAX_POINTS_PER_TABLET) {
                addRange(owner, held, KeyRange.ALL);
            } else if (held.points.add(key)) {
                points.computeIfAbsent(key, _ -> new HashSet<>(2)).add(owner);
                held.keyBytes += key.length();
                owner.added(1, key.length());
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Returns false if this lock table is closed.
    public boolean addRange(ReadLocks owner, KeyRange range) {
        lock.lock();
        try {
            if (closed) {
                register(owner);
                return false;
            }
            acquired++;
            OwnerLocks held = ownerLocks(owner);
            boolean escalate = held.ranges.size() >= ReadLocks.MAX_POINTS_PER_TABLET;
            addRange(owner, held, escalate ? KeyRange.ALL : range);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Breaks the locks of all owners except `except` that have read the key. Called by the cell's
    /// writer.
    public void breakLocks(Bytes key, @Nullable ReadLocks except) {
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

    /// Breaks the locks of all owners that have read anything in the range.
    public void breakLocks(KeyRange range) {
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

    /// Moves every lock and trace to the heirs whose ranges it touches, and closes this table. The
    /// heirs belong to tablets that are not in use yet, or to neighbours of this tablet.
    public void handOver(KeyRange own, List<Heir> heirs) {
        heirs.forEach(heir -> traces.copyTo(heir.table.traces, heir.range.intersection(own)));
        List<ReadLocks> moved;
        lock.lock();
        try {
            closed = true;
            moved = List.copyOf(owners.keySet());
            owners.forEach((owner, held) -> heirs.forEach(heir -> heir.take(owner, held, own)));
            owners.forEach((owner, held) -> owner.added(-held.size(), -held.keyBytes));
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

    /// A lock table that takes over the locks on a range.
    public record Heir(LockTable table, KeyRange range) {
        private void take(ReadLocks owner, OwnerLocks held, KeyRange from) {
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

    /// Called when the owner has ended.
    void remove(ReadLocks owner) {
        lock.lock();
        try {
            cell.remove(owner);
            OwnerLocks held = owners.remove(owner);
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
            OwnerLocks held = owners.get(owner);
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
            OwnerLocks held = owners.get(owner);
            return held != null
                    && (held.points.stream().anyMatch(range::contains)
                            || held.ranges.stream().anyMatch(range::intersects));
        } finally {
            lock.unlock();
        }
    }

    /// Totals since the tablet was opened.
    public LockCounts counts() {
        lock.lock();
        try {
            return new LockCounts(acquired, acquiredWhole, broken);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private OwnerLocks ownerLocks(ReadLocks owner) {
        OwnerLocks held = owners.get(owner);
        if (held == null) {
            held = new OwnerLocks();
            owners.put(owner, held);
            ownerCount.incrementAndGet();
            register(owner);
        }
        return held;
    }

    /// From now on the cell finds the owner by its id. That is needed even if it gets no lock here,
    /// because memory may have been taken for the lock.
    private void register(ReadLocks owner) {
        owner.remember(this);
        cell.add(owner);
    }

    @GuardedBy("lock")
    private void addRange(ReadLocks owner, OwnerLocks held, KeyRange range) {
        if (held.ranges.contains(range) || held.ranges.contains(KeyRange.ALL)) {
            return;
        }
        if (range.equals(KeyRange.ALL)) {
            acquiredWhole++;
            owner.added(-held.size(), -held.keyBytes);
            held.keyBytes = 0;
            held.ranges.clear();
            held.points.forEach(key -> removePoint(owner, key));
            held.points.clear();
        }
        held.ranges.add(range);
        held.keyBytes += keyBytes(range);
        owner.added(1, keyBytes(range));
    }

    /// The size of both bounds of the range.
    public static int keyBytes(KeyRange range) {
        Bytes to = range.to();
        return range.from().length() + (to == null ? 0 : to.length());
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

    private static boolean covered(OwnerLocks held, Bytes key) {
        for (KeyRange range : held.ranges) {
            if (range.contains(key)) {
                return true;
            }
        }
        return false;
    }
}
