package io.cleave.query.metric;

import io.cleave.base.Surrogates;

import java.util.concurrent.atomic.AtomicBoolean;

/// Collects the costs of the runs of one program since they were last taken. It lives as long as
/// the program. A run adds its costs to one of a few parts, which it owns for that moment, so that
/// a run costs one compare-and-set and no lock.
///
/// Threads: any.
public final class QueryMeter {
    /// A power of two.
    private static final int PARTS = 4;

    /// The text as it is shown; only the beginning of a long text.
    private final String text;

    private final Part[] parts = new Part[PARTS];

    /// Whether [QueryMetrics] knows that this meter has figures.
    private final AtomicBoolean known = new AtomicBoolean();

    // The maximum costs of a run in the minute that ends at `minuteEndMicros`. Threads read and
    // write these fields without synchronization. A thread that reads an old value only checks once
    // too often.
    private long minuteEndMicros;
    private long mostDuration;
    private long mostWork;
    private long mostReadBytes;

    public QueryMeter(String text) {
        this.text = Surrogates.cut(text, TopQueries.MAX_TEXT_CHARS);
        for (int index = 0; index < PARTS; index++) {
            parts[index] = new Part();
        }
    }

    /// Whether the run cost more, in any respect, than the earlier runs of the minute that ends at
    /// `endMicros`.
    boolean isMore(MeteredRun run, long durationMicros, long endMicros) {
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

    public String text() {
        return text;
    }

    /// Whether [QueryMetrics] will take the figures of this meter.
    boolean isKnown() {
        return known.getPlain();
    }

    /// The flag is true while a thread uses the part.
    private static final class Part extends AtomicBoolean {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // nobody serializes it
        private QueryFigures figures = new QueryFigures();
    }

    /// Returns true the first time after the figures were taken.
    boolean add(MeteredRun run, long durationMicros) {
        int at = (int) Thread.currentThread().threadId() & (PARTS - 1);
        while (!parts[at].compareAndSet(false, true)) {
            at = (at + 1) & (PARTS - 1);
        }
        parts[at].figures.add(run, durationMicros);
        parts[at].setRelease(false);
        return !known.getPlain() && known.compareAndSet(false, true);
    }

    /// Returns all figures so far and starts again from zero.
    QueryFigures takeAway() {
        // This comes first, so that a thread that adds from now on reports the meter again.
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
