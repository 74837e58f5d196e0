package io.cleave.tablet.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockGroups;
import io.cleave.schema.RowConflict;
import io.cleave.schema.RowLock;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// The row locks of committed transactions that transactions which began before the commit must
/// still respect: exclusive and strong shared locks. Writes need no trace, because their versions
/// tell.
///
/// Traces are not logged: the transactions that must respect them end with the process. A trace is
/// dropped when every open transaction began after it. If there are too many, they become one trace
/// that every older transaction is in conflict with.
///
/// Threads: any.
public final class LockTraces {
    /// The number of traces of a tablet, above which they become one.
    static final int MOST = 100_000;

    private static final int FIRST_CLEANUP = 1_000;
    private static final long NEVER = Long.MIN_VALUE;

    private record Trace(long groups, long timestamp, boolean isExclusive) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Bytes, List<Trace>> byKey = new HashMap<>();

    @GuardedBy("lock")
    private int count;

    /// The number of traces at which old ones are dropped.
    @GuardedBy("lock")
    private int cleanupAt = FIRST_CLEANUP;

    /// The timestamp of the trace on every row.
    @GuardedBy("lock")
    private long wholeTablet = NEVER;

    /// Whether there has been a trace; lets commits skip the lock.
    private volatile boolean isUsed;

    LockTraces() {}

    /// A transaction with this lock has committed. `oldest` returns a timestamp before which no
    /// open transaction began.
    public void leave(RowLock left, long timestamp, LongSupplier oldest) {
        if (left.kind() != RowLock.Kind.SHARED_WEAK) {
            boolean isExclusive = left.kind() == RowLock.Kind.EXCLUSIVE;
            add(left.key(), new Trace(left.groups(), timestamp, isExclusive));
            lock.lock();
            try {
                if (count >= cleanupAt) {
                    dropUntil(oldest.getAsLong());
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void add(Bytes key, Trace trace) {
        lock.lock();
        try {
            isUsed = true;
            List<Trace> traces = byKey.computeIfAbsent(key, _ -> new ArrayList<>(1));
            int before = traces.size();
            traces.removeIf(
                    each ->
                            each.groups == trace.groups
                                    && each.isExclusive == trace.isExclusive
                                    && each.timestamp <= trace.timestamp);
            traces.add(trace);
            count += traces.size() - before;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void dropUntil(long oldest) {
        byKey.values().forEach(traces -> traces.removeIf(trace -> trace.timestamp <= oldest));
        byKey.values().removeIf(List::isEmpty);
        count = byKey.values().stream().mapToInt(List::size).sum();
        if (count >= MOST) {
            for (List<Trace> traces : byKey.values()) {
                for (Trace trace : traces) {
                    wholeTablet = Math.max(wholeTablet, trace.timestamp);
                }
            }
            byKey.clear();
            count = 0;
        }
        cleanupAt = Math.max(FIRST_CLEANUP, Math.min(2 * count, MOST));
    }

    /// The conflict of a transaction that began at `start` with these traces; null if there is
    /// none.
    public @Nullable RowConflict conflict(
            long tabletId, Bytes key, long groups, long start, boolean writes) {
        if (!isUsed) {
            return null;
        }
        lock.lock();
        try {
            if (wholeTablet > start) {
                return new RowConflict(
                        tabletId, key, groups, RowConflict.Reason.WRITTEN, wholeTablet);
            }
            for (Trace trace : byKey.getOrDefault(key, List.of())) {
                if (trace.timestamp > start
                        && (writes || trace.isExclusive)
                        && LockGroups.overlap(groups, trace.groups)) {
                    long both = groups & trace.groups;
                    return new RowConflict(
                            tabletId,
                            key,
                            both == 0 ? groups : both,
                            trace.isExclusive
                                    ? RowConflict.Reason.WRITTEN
                                    : RowConflict.Reason.READ_LOCKED,
                            trace.timestamp);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Passes the traces in the range on to another tablet, which takes over these keys.
    void copyTo(LockTraces heir, KeyRange range) {
        if (!isUsed) {
            return;
        }
        lock.lock();
        try {
            byKey.forEach(
                    (key, traces) -> {
                        if (range.contains(key)) {
                            traces.forEach(trace -> heir.add(key, trace));
                        }
                    });
            heir.respect(wholeTablet);
        } finally {
            lock.unlock();
        }
    }

    private void respect(long timestamp) {
        lock.lock();
        try {
            if (timestamp > wholeTablet) {
                isUsed = true;
                wholeTablet = timestamp;
            }
        } finally {
            lock.unlock();
        }
    }
}
