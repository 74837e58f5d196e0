package io.cleave.tablet.meter;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/// How much a tablet was read and written recently. Keeps a mark of the totals about every
/// [#STEP_MICROS], set by the next access after that time. An access costs only a comparison, and
/// an unused tablet costs nothing.
///
/// Threads: any.
public final class LoadHistory {
    private static final long STEP_MICROS = 10_000_000;

    /// Older marks say nothing about the present.
    private static final int MARKS = 7;

    private static final long WINDOW_MICROS = MARKS * STEP_MICROS;
    private static final double MICROS_PER_SECOND = 1e6;

    /// The totals before the access at `micros`, and the mark before this one.
    private record Mark(long micros, long reads, long writes, @Nullable Mark earlier) {}

    private final AtomicReference<Mark> newest;

    public LoadHistory(long startMicros) {
        newest = new AtomicReference<>(new Mark(startMicros, 0, 0, null));
    }

    /// Whether [#mark] must be called before an access is counted.
    public boolean isDue(long nowMicros) {
        return Math.abs(nowMicros - newest.get().micros) >= STEP_MICROS;
    }

    /// Sets a mark with the current totals. If two threads set one at the same time, one is enough.
    public void mark(long nowMicros, long reads, long writes) {
        Mark last = newest.get();
        // After the clock was set back, older marks are useless.
        @Nullable Mark kept = nowMicros < last.micros ? null : cut(last, MARKS - 1);
        newest.compareAndSet(last, new Mark(nowMicros, reads, writes, kept));
    }

    private static @Nullable Mark cut(@Nullable Mark mark, int left) {
        return mark == null || left == 0
                ? null
                : new Mark(mark.micros, mark.reads, mark.writes, cut(mark.earlier, left - 1));
    }

    /// The mean load of about the last minute, or since the tablet opened if that is less.
    public Load load(long nowMicros, long reads, long writes) {
        Mark from = null;
        for (Mark mark = newest.get();
                mark != null && nowMicros - mark.micros < WINDOW_MICROS;
                mark = mark.earlier) {
            from = mark;
        }
        if (from == null) {
            return Load.NONE;
        }
        double seconds = Math.max(1, (nowMicros - from.micros) / MICROS_PER_SECOND);
        return new Load((reads - from.reads) / seconds, (writes - from.writes) / seconds);
    }

    /// Rows per second.
    public record Load(double reads, double writes) {
        public static final Load NONE = new Load(0, 0);
    }
}
