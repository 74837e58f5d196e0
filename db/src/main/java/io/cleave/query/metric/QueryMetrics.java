package io.cleave.query.metric;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/// The costs of queries that succeeded: sums by text for each minute, and the most expensive runs.
///
/// A run adds its costs to the meter of its program ([QueryMeter]). Only the first run of a program
/// in a minute, or one that may be among the most expensive, takes a lock. Nothing runs in the
/// background: the first call in a new minute ends the minute before.
///
/// Threads: any.
public final class QueryMetrics {
    static final long MINUTE_MICROS = 60_000_000L;
    static final long HOUR_MICROS = 60 * MINUTE_MICROS;

    /// The maximum number of texts that are kept of a minute: those that took the most time.
    static final int MAX_TEXTS = 256;

    /// The maximum number of programs that are metered in a minute. The runs of other programs are
    /// in no sum, but may be among the most expensive runs.
    static final int MAX_ACTIVE = 4096;

    private static final int KEPT_MINUTES = 6 * 60;
    private static final int KEPT_HOURS = 14 * 24;

    /// Limit, in bytes, of the texts that are metered in a minute. Texts beyond it are treated like
    /// those beyond [#MAX_ACTIVE].
    static final long MAX_ACTIVE_BYTES = 8 << 20;

    /// Limit, in bytes, of the texts of all minutes with their figures.
    static final long MAX_KEPT_BYTES = 16 << 20;

    /// Estimated memory of the figures of one text.
    private static final int FIGURES_BYTES = 512;

    /// The costs of the runs of one text in a minute.
    public record TextFigures(String text, QueryFigures figures) {}

    public record Minute(long endMicros, List<TextFigures> texts) {}

    private final Env env;
    private final Map<String, TopQueries> tops = new TreeMap<>();

    /// The values of `tops`.
    private final TopQueries[] allTops;

    private final ReentrantLock lock = new ReentrantLock();

    /// The meters that have figures of the current minute.
    @GuardedBy("lock")
    private final List<QueryMeter> active = new ArrayList<>();

    @GuardedBy("lock")
    private long activeBytes;

    /// Whether `active` is full. Written under the lock, read without it.
    private volatile boolean full;

    /// The minutes that are over, oldest first.
    @GuardedBy("lock")
    private final Deque<Minute> over = new ArrayDeque<>();

    @GuardedBy("lock")
    private long keptBytes;

    /// Read without the lock to see whether a new minute has begun.
    private volatile long minuteEndMicros;

    public QueryMetrics(Env env) {
        this.env = env;
        addTops("duration", QueryUse::durationMicros);
        addTops("read_bytes", QueryUse::readBytes);
        addTops("cpu_time", QueryUse::workMicros);
        allTops = tops.values().toArray(TopQueries[]::new);
    }

    private void addTops(String name, ToLongFunction<QueryUse> figure) {
        tops.put(name + "_one_minute", new TopQueries(figure, MINUTE_MICROS, KEPT_MINUTES));
        tops.put(name + "_one_hour", new TopQueries(figure, HOUR_MICROS, KEPT_HOURS));
    }

    /// By the last part of the view's name.
    public Map<String, TopQueries> tops() {
        return tops;
    }

    /// Counts a run that took `durationMicros`. Allocates nothing unless the run may be among the
    /// most expensive ones.
    public void add(MeteredRun run, long durationMicros) {
        long now = env.recentMicros();
        long end = minuteEndMicros;
        if (now >= end) {
            turn(now);
            end = minuteEndMicros;
        }
        QueryMeter meter = run.meter();
        if ((!full || meter.isKnown()) && meter.add(run, durationMicros)) {
            remember(meter);
        }
        // Otherwise an earlier run of the text has cost more in this minute, and so in this hour.
        if (meter.isMore(run, durationMicros, end)) {
            addToTops(run, durationMicros, now);
        }
    }

    private void addToTops(MeteredRun run, long durationMicros, long now) {
        QueryUse use = run.use(durationMicros);
        for (TopQueries top : allTops) {
            if (top.wants(use, now)) {
                top.add(entry(run, use, now));
            }
        }
    }

    private static TopQueries.Entry entry(MeteredRun run, QueryUse use, long now) {
        return new TopQueries.Entry(
                run.meter().text(),
                now,
                run.changesScheme() ? "ddl" : "data",
                use,
                run.compileMicros(),
                run.fromCache());
    }

    private void remember(QueryMeter meter) {
        lock.lock();
        try {
            if (full) {
                // There is no room left. A run in a later minute may find room.
                var _ = meter.takeAway();
                return;
            }
            active.add(meter);
            activeBytes += bytes(meter.text());
            full = active.size() == MAX_ACTIVE || activeBytes >= MAX_ACTIVE_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /// The minutes that are over, oldest first.
    public List<Minute> minutes() {
        lock.lock();
        try {
            turn(env.wallMicros());
            return List.copyOf(over);
        } finally {
            lock.unlock();
        }
    }

    /// Ends the minute if its time is over.
    private void turn(long nowMicros) {
        lock.lock();
        try {
            if (nowMicros < minuteEndMicros) {
                return;
            }
            List<QueryMeter> metered = List.copyOf(active);
            active.clear();
            activeBytes = 0;
            full = false;
            List<TextFigures> texts = heaviest(metered);
            if (!texts.isEmpty()) {
                over.addLast(new Minute(minuteEndMicros, texts));
                keptBytes += bytes(over.getLast());
            }
            minuteEndMicros = nowMicros - Math.floorMod(nowMicros, MINUTE_MICROS) + MINUTE_MICROS;
            long oldest = minuteEndMicros - MINUTE_MICROS * KEPT_MINUTES;
            while (!over.isEmpty()
                    && (over.getFirst().endMicros() < oldest || keptBytes > MAX_KEPT_BYTES)) {
                keptBytes -= bytes(over.removeFirst());
            }
        } finally {
            lock.unlock();
        }
    }

    /// A run waits for this, so texts are not sorted by their characters, only by their times.
    private static List<TextFigures> heaviest(Collection<QueryMeter> meters) {
        Map<String, QueryFigures> byText = new LinkedHashMap<>();
        for (QueryMeter meter : meters) {
            byText.computeIfAbsent(meter.text(), _ -> new QueryFigures()).add(meter.takeAway());
        }
        List<TextFigures> texts = new ArrayList<>();
        byText.forEach((text, figures) -> texts.add(new TextFigures(text, figures)));
        texts.removeIf(text -> text.figures().runs() == 0);
        Comparator<TextFigures> byDuration =
                Comparator.comparingLong(text -> text.figures().duration().sum());
        texts.sort(byDuration.reversed());
        return List.copyOf(texts.subList(0, Math.min(MAX_TEXTS, texts.size())));
    }

    private static long bytes(Minute minute) {
        return minute.texts().stream().mapToLong(text -> bytes(text.text())).sum();
    }

    /// The memory of a text with its figures.
    private static long bytes(String text) {
        return FIGURES_BYTES + 2L * text.length();
    }

    /// The memory of everything that is kept; for tests.
    long bytes() {
        lock.lock();
        try {
            return activeBytes + keptBytes;
        } finally {
            lock.unlock();
        }
    }
}
