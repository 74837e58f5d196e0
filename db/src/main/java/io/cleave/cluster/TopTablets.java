package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.TabletState;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// The tablets that took most CPU time in each minute of the last hours, and in each hour of the
/// last weeks; in memory.
///
/// Threads: any.
public final class TopTablets {
    /// Of a core: less is not worth telling.
    private static final double LEAST_CORES = 0.7;

    private static final int RANKS = 10;
    private static final long MINUTE_MICROS = 60_000_000;
    private static final int MINUTES_PER_HOUR = 60;
    private static final int KEPT_MINUTES = 6 * MINUTES_PER_HOUR;
    private static final int KEPT_HOURS = 14 * 24;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Spans minutes = new Spans(MINUTE_MICROS, KEPT_MINUTES);

    @GuardedBy("lock")
    private final Spans hours = new Spans(MINUTES_PER_HOUR * MINUTE_MICROS, KEPT_HOURS);

    /// A tablet at its peak within a span of time.
    ///
    /// @param endMicros of the span
    /// @param rank from 1
    public record Top(
            long endMicros,
            int rank,
            String path,
            long tabletId,
            long peakMicros,
            double cores,
            long bytes,
            long rows) {}

    void add(String path, TabletState tablet, long micros) {
        lock.lock();
        try {
            minutes.add(path, tablet, micros);
            hours.add(path, tablet, micros);
        } finally {
            lock.unlock();
        }
    }

    /// Of whole minutes, the earliest first.
    public List<Top> byMinute() {
        lock.lock();
        try {
            return List.copyOf(minutes.done);
        } finally {
            lock.unlock();
        }
    }

    /// Of whole hours.
    public List<Top> byHour() {
        lock.lock();
        try {
            return List.copyOf(hours.done);
        } finally {
            lock.unlock();
        }
    }

    private static final class Spans {
        final long micros;
        final int kept;
        final Deque<Top> done = new ArrayDeque<>();
        final Map<Long, Top> present = new HashMap<>();
        long endMicros;

        Spans(long micros, int kept) {
            this.micros = micros;
            this.kept = kept;
        }

        void add(String path, TabletState tablet, long now) {
            if (now >= endMicros) {
                turn(now);
            }
            if (tablet.cores() < LEAST_CORES) {
                return;
            }
            Top before = present.get(tablet.tabletId());
            if (before == null || before.cores < tablet.cores()) {
                present.put(
                        tablet.tabletId(),
                        new Top(
                                endMicros,
                                0,
                                path,
                                tablet.tabletId(),
                                now,
                                tablet.cores(),
                                tablet.bytes(),
                                tablet.rows()));
            }
        }

        private void turn(long now) {
            List<Top> ranked = new ArrayList<>(present.values());
            ranked.sort(Comparator.comparingDouble(Top::cores).reversed());
            for (int index = 0; index < Math.min(RANKS, ranked.size()); index++) {
                Top top = ranked.get(index);
                done.addLast(
                        new Top(
                                top.endMicros,
                                index + 1,
                                top.path,
                                top.tabletId,
                                top.peakMicros,
                                top.cores,
                                top.bytes,
                                top.rows));
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
