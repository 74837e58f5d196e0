package io.cleave.query;

/// Whether a plan's runs are short. Most reads touch a few rows and would be through before another
/// thread could take them over, but only a run shows it: so a plan is tried, and one that was long
/// is left alone for its next runs.
///
/// Threads: any; a count that is lost between two does no harm.
final class Brevity {
    /// So many rows are read in less time than a hand-over takes a thread to wake.
    static final int MOST_ROWS = 256;

    /// So much may they, and what is answered, take: large cells are as much work as many rows.
    static final long MOST_BYTES = 256 << 10;

    /// So often may a run look whether it should go on, which it does every few hundred rows that
    /// pass through its operators.
    static final int MOST_CHECKS = 16;

    private static final int RUNS_LEFT_ALONE = 64;

    private volatile int leftAlone;

    boolean isWorthATry() {
        int left = leftAlone;
        if (left == 0) {
            return true;
        }
        leftAlone = left - 1;
        return false;
    }

    void wasLong() {
        leftAlone = RUNS_LEFT_ALONE;
    }

    /// Ends a run that has turned out long. It is nobody's mistake and nobody sees it: no stack.
    static final class TooLong extends RuntimeException {
        TooLong() {
            super("more than " + MOST_ROWS + " rows", null, false, false);
        }
    }
}
