package io.cleave.tablet;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/// How much a tablet was read and written lately, from its totals: marks of them are kept, one
/// every [#STEP_MICROS], set by whatever happens after that. So it costs a comparison, and a tablet
/// that nobody uses costs nothing.
///
/// Threads: any.
public final class LoadHistory {
    private static final long STEP_MICROS = 10_000_000;

    /// Marks that are older tell nothing of the present.
    private static final int MARKS = 7;

    private static final long WINDOW_MICROS = MARKS * STEP_MICROS;
    private static final double MICROS_PER_SECOND = 1e6;

    /// The totals before what happened at `micros`, and the mark before it.
    private record Mark(long micros, long reads, long writes, @Nullable Mark earlier) {}

    private final AtomicReference<Mark> newest;

    LoadHistory(long startMicros) {
        newest = new AtomicReference<>(new Mark(startMicros, 0, 0, null));
    }

    /// Whether [#mark] is to be called before something that happens now.
    boolean isDue(long nowMicros) {
        return Math.abs(nowMicros - newest.get().micros) >= STEP_MICROS;
    }

    /// These are the totals up to now. If two set a mark at a time, one of them is enough.
    void mark(long nowMicros, long reads, long writes) {
        Mark last = newest.get();
        // A clock that was set back makes all marks those of another time.
        @Nullable Mark kept = nowMicros < last.micros ? null : cut(last, MARKS - 1);
        newest.compareAndSet(last, new Mark(nowMicros, reads, writes, kept));
    }

    private static @Nullable Mark cut(@Nullable Mark mark, int left) {
        return mark == null || left == 0
                ? null
                : new Mark(mark.micros, mark.reads, mark.writes, cut(mark.earlier, left - 1));
    }

    /// Over the last minute, or since the tablet is here if that is less.
    Load load(long nowMicros, long reads, long writes) {
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

    /// Rows in a second.
    public record Load(double reads, double writes) {
        public static final Load NONE = new Load(0, 0);
    }
}
