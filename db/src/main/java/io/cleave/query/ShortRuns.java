package io.cleave.query;

/// Remembers whether the runs of a plan are short. Most reads touch a few rows and end before
/// another thread could take them over. Only a run can show this: so a plan is tried, and after a
/// long run it is not tried for its next runs.
///
/// Threads: any. A count that is lost between two threads does no harm.
final class ShortRuns {
    /// Reading this number of rows takes less time than waking another thread.
    static final int MOST_ROWS = 256;

    /// Limit, in bytes, of the rows read, and of the answer. Large fields are as much work as many
    /// rows.
    static final long MOST_BYTES = 256 << 10;

    /// The maximum number of times a short run may check whether it should go on. It checks every
    /// few hundred rows that pass through its operators.
    static final int MOST_CHECKS = 16;

    /// The number of runs that are not tried after a long one.
    private static final int RUNS_SKIPPED = 64;

    private volatile int runsToSkip;

    boolean isWorthATry() {
        int left = runsToSkip;
        if (left == 0) {
            return true;
        }
        runsToSkip = left - 1;
        return false;
    }

    void wasLong() {
        runsToSkip = RUNS_SKIPPED;
    }

    /// Ends a short run that turns out to be long. It is not an error and nobody sees it, so it has
    /// no stack trace.
    static final class TooLong extends RuntimeException {
        TooLong() {
            super("more than " + MOST_ROWS + " rows", null, false, false);
        }
    }
}
