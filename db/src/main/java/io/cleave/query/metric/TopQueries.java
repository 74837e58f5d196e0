package io.cleave.query.metric;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/// The most expensive runs of each interval by one measure, each text once. Intervals that are over
/// are kept for some time. If their texts take too much memory, the oldest intervals are dropped
/// first.
///
/// Threads: any.
public final class TopQueries {
    static final int RANKS = 5;

    /// Limit, in bytes, of the texts of all intervals that are over.
    private static final long MAX_TEXT_BYTES = 4 << 20;

    /// The maximum number of characters of a text that are shown.
    static final int MAX_TEXT_CHARS = 10 << 10;

    /// A run that was among the most expensive ones.
    public record Entry(
            String text,
            long endMicros,
            String kind,
            QueryUse use,
            long compileMicros,
            boolean fromCache) {}

    /// The most expensive runs of an interval.
    public record Interval(long endMicros, List<Entry> entries) {}

    private final ToLongFunction<QueryUse> figure;
    private final long intervalMicros;
    private final int keptIntervals;
    private final ReentrantLock lock = new ReentrantLock();

    /// The cost that a run must exceed to be among the most expensive ones of the current interval.
    private volatile long threshold;

    /// The most expensive run first.
    @GuardedBy("lock")
    private final List<Entry> first = new ArrayList<>();

    /// Written under the lock.
    private volatile long intervalEndMicros;

    /// The intervals that are over, oldest first.
    @GuardedBy("lock")
    private final Deque<Interval> over = new ArrayDeque<>();

    @GuardedBy("lock")
    private long textBytes;

    TopQueries(ToLongFunction<QueryUse> figure, long intervalMicros, int keptIntervals) {
        this.figure = figure;
        this.intervalMicros = intervalMicros;
        this.keptIntervals = keptIntervals;
    }

    /// Whether [#add] is worth calling for a run that ends now.
    boolean wants(QueryUse use, long nowMicros) {
        long taken = figure.applyAsLong(use);
        return taken > threshold || (taken > 0 && nowMicros >= intervalEndMicros);
    }

    void add(Entry entry) {
        lock.lock();
        try {
            turn(entry.endMicros());
            Optional<Entry> same =
                    first.stream().filter(one -> one.text().equals(entry.text())).findFirst();
            if (same.isPresent() && value(same.get()) >= value(entry)) {
                return;
            }
            same.ifPresent(first::remove);
            first.add(entry);
            first.sort(Comparator.comparingLong(this::value).reversed());
            if (first.size() > RANKS) {
                first.removeLast();
            }
            threshold = first.size() < RANKS ? 0 : value(first.getLast());
        } finally {
            lock.unlock();
        }
    }

    private long value(Entry entry) {
        return figure.applyAsLong(entry.use());
    }

    /// The intervals that are over and the current one, oldest first.
    public List<Interval> intervals(long nowMicros) {
        lock.lock();
        try {
            turn(nowMicros);
            List<Interval> all = new ArrayList<>(over);
            if (!first.isEmpty()) {
                all.add(new Interval(intervalEndMicros, List.copyOf(first)));
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the interval if its time is over.
    @GuardedBy("lock")
    private void turn(long nowMicros) {
        if (nowMicros >= intervalEndMicros) {
            if (!first.isEmpty()) {
                over.addLast(new Interval(intervalEndMicros, List.copyOf(first)));
                textBytes += bytes(over.getLast());
                first.clear();
                threshold = 0;
            }
            intervalEndMicros =
                    nowMicros - Math.floorMod(nowMicros, intervalMicros) + intervalMicros;
        }
        long oldest = intervalEndMicros - intervalMicros * keptIntervals;
        while (!over.isEmpty()
                && (over.getFirst().endMicros() < oldest || textBytes > MAX_TEXT_BYTES)) {
            textBytes -= bytes(over.removeFirst());
        }
    }

    private static long bytes(Interval interval) {
        return interval.entries().stream().mapToLong(entry -> 2L * entry.text().length()).sum();
    }
}
