package io.cleave.query;

import io.cleave.base.Surrogates;

import java.util.concurrent.atomic.AtomicBoolean;

/// What the runs of one program took since the figures were last taken away. It lives with the
/// program: whoever runs it adds to one of a few parts, which nobody else has for that moment, so
/// that a run costs one exchange of a flag and no lock.
///
/// Threads: any.
final class QueryMeter {
    /// A power of two.
    private static final int PARTS = 4;

    /// As it is shown: of a long one only the beginning.
    private final String text;

    private final Part[] parts = new Part[PARTS];

    /// Whether [QueryMetrics] knows it as one that has figures.
    private final AtomicBoolean known = new AtomicBoolean();

    // The most that a run has taken in a minute, which ends then. Threads see each other's as they
    // happen to be: who sees too little looks once too often.
    private long minuteEndMicros;
    private long mostDuration;
    private long mostWork;
    private long mostReadBytes;

    QueryMeter(String text) {
        this.text = Surrogates.cut(text, TopQueries.MAX_TEXT_CHARS);
        for (int index = 0; index < PARTS; index++) {
            parts[index] = new Part();
        }
    }

    /// Whether the run took more of anything than those before it in the minute that ends then.
    boolean isMore(RunSummary run, long durationMicros, long endMicros) {
        long readBytes = run.readBytes();
        boolean same = minuteEndMicros == endMicros;
        if (same
                && durationMicros <= mostDuration
                && run.micros() <= mostWork
                && readBytes <= mostReadBytes) {
            return false;
        }
        mostDuration = Math.max(durationMicros, same ? mostDuration : 0);
        mostWork = Math.max(run.micros(), same ? mostWork : 0);
        mostReadBytes = Math.max(readBytes, same ? mostReadBytes : 0);
        minuteEndMicros = endMicros;
        return true;
    }

    String text() {
        return text;
    }

    /// Whether it has figures that [QueryMetrics] will take away.
    boolean isKnown() {
        return known.getPlain();
    }

    /// True while someone is inside.
    private static final class Part extends AtomicBoolean {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // nobody serializes it
        private QueryFigures figures = new QueryFigures();
    }

    /// True the first time since the figures were taken away.
    boolean add(RunSummary run, long durationMicros) {
        int at = (int) Thread.currentThread().threadId() & (PARTS - 1);
        while (!parts[at].compareAndSet(false, true)) {
            at = (at + 1) & (PARTS - 1);
        }
        parts[at].figures.add(run, durationMicros);
        parts[at].setRelease(false);
        return !known.getPlain() && known.compareAndSet(false, true);
    }

    /// All figures so far; it begins again without any.
    QueryFigures takeAway() {
        // First: who adds from now on makes it known again.
        known.set(false);
        var sum = new QueryFigures();
        for (Part part : parts) {
            while (!part.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
            QueryFigures taken = part.figures;
            part.figures = new QueryFigures();
            part.setRelease(false);
            sum.add(taken);
        }
        return sum;
    }
}
