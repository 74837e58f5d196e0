package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.schema.LockCounts;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/// The tablets with the most CPU time and with the most broken locks, for each minute of the last
/// hours and each hour of the last weeks. Kept in memory only.
///
/// Threads: any.
public final class TopTablets {
    /// Tablets with a smaller load, in cores, are not ranked.
    private static final double LEAST_CORES = 0.7;

    private static final int RANKS = 10;
    private static final long MINUTE_MICROS = 60_000_000;
    private static final long HOUR_MICROS = 60 * MINUTE_MICROS;
    private static final int KEPT_MINUTES = 6 * 60;
    private static final int KEPT_HOURS = 14 * 24;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Spans coreMinutes = Spans.byCores(MINUTE_MICROS, KEPT_MINUTES);

    @GuardedBy("lock")
    private final Spans coreHours = Spans.byCores(HOUR_MICROS, KEPT_HOURS);

    @GuardedBy("lock")
    private final Spans lockMinutes = Spans.byLocksBroken(MINUTE_MICROS, KEPT_MINUTES);

    @GuardedBy("lock")
    private final Spans lockHours = Spans.byLocksBroken(HOUR_MICROS, KEPT_HOURS);

    /// The state of a tablet at one look.
    ///
    /// @param locks since the previous look
    public record Sample(
            String path,
            long tabletId,
            long micros,
            double cores,
            LockCounts locks,
            long bytes,
            long rows) {
        private Sample higher(Sample later) {
            return cores < later.cores ? later : this;
        }

        private Sample plus(Sample later) {
            return new Sample(
                    later.path,
                    tabletId,
                    later.micros,
                    later.cores,
                    locks.plus(later.locks),
                    later.bytes,
                    later.rows);
        }
    }

    /// One of the top tablets of a time span.
    ///
    /// @param endMicros the end of the span
    /// @param rank from 1
    /// @param tablet at its peak of CPU time; or its last state, with all locks of the span
    public record Top(long endMicros, int rank, Sample tablet) {}

    void add(Sample tablet) {
        lock.lock();
        try {
            coreMinutes.add(tablet);
            coreHours.add(tablet);
            lockMinutes.add(tablet);
            lockHours.add(tablet);
        } finally {
            lock.unlock();
        }
    }

    /// By CPU time, for complete minutes, oldest first.
    public List<Top> byMinute() {
        lock.lock();
        try {
            return List.copyOf(coreMinutes.done);
        } finally {
            lock.unlock();
        }
    }

    /// By CPU time, for complete hours, oldest first.
    public List<Top> byHour() {
        lock.lock();
        try {
            return List.copyOf(coreHours.done);
        } finally {
            lock.unlock();
        }
    }

    /// By broken locks, for complete minutes, oldest first.
    public List<Top> brokenByMinute() {
        lock.lock();
        try {
            return List.copyOf(lockMinutes.done);
        } finally {
            lock.unlock();
        }
    }

    /// By broken locks, for complete hours, oldest first.
    public List<Top> brokenByHour() {
        lock.lock();
        try {
            return List.copyOf(lockHours.done);
        } finally {
            lock.unlock();
        }
    }

    private static final class Spans {
        final long micros;
        final int kept;

        /// Whether a look at a tablet is counted in a span.
        final Predicate<Sample> counts;

        /// Combines an earlier and a later look at one tablet.
        final BinaryOperator<Sample> together;

        /// Whether a tablet is ranked when the span has ended.
        final Predicate<Sample> isTold;

        /// The order of ranks, best first.
        final Comparator<Sample> order;

        final Deque<Top> done = new ArrayDeque<>();

        /// The current span, by tablet id.
        final Map<Long, Sample> present = new HashMap<>();

        long endMicros;

        private Spans(
                long micros,
                int kept,
                Predicate<Sample> counts,
                BinaryOperator<Sample> together,
                Predicate<Sample> isTold,
                Comparator<Sample> order) {
            this.micros = micros;
            this.kept = kept;
            this.counts = counts;
            this.together = together;
            this.isTold = isTold;
            this.order = order;
        }

        static Spans byCores(long micros, int kept) {
            return new Spans(
                    micros,
                    kept,
                    tablet -> tablet.cores >= LEAST_CORES,
                    Sample::higher,
                    _ -> true,
                    Comparator.comparingDouble(Sample::cores).reversed());
        }

        static Spans byLocksBroken(long micros, int kept) {
            return new Spans(
                    micros,
                    kept,
                    tablet -> tablet.locks.acquired() > 0 || tablet.locks.broken() > 0,
                    Sample::plus,
                    tablet -> tablet.locks.broken() > 0,
                    Comparator.<Sample>comparingLong(tablet -> tablet.locks.broken()).reversed());
        }

        void add(Sample tablet) {
            // A clock that was set back starts a new span too.
            if (tablet.micros >= endMicros || tablet.micros < endMicros - micros) {
                turn(tablet.micros);
            }
            if (counts.test(tablet)) {
                present.merge(tablet.tabletId, tablet, together);
            }
        }

        private void turn(long now) {
            List<Sample> ranked =
                    present.values().stream()
                            .filter(isTold)
                            .sorted(order.thenComparingLong(Sample::tabletId))
                            .limit(RANKS)
                            .toList();
            for (int index = 0; index < ranked.size(); index++) {
                done.addLast(new Top(endMicros, index + 1, ranked.get(index)));
            }
            present.clear();
            endMicros = now - Math.floorMod(now, micros) + micros;
            long oldest = endMicros - (kept + 1) * micros;
            while (!done.isEmpty() && done.getFirst().endMicros <= oldest) {
                done.removeFirst();
            }
        }
    }
}
