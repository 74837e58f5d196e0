package io.cleave.tablet.pace;

/// Decides how fast a compaction may write. A pure function of how much waits to be compacted.
///
/// Compactions are slow while nothing waits, so that reads and commits find disk and processor
/// free. They are never slower than new files arrive, each of which is rewritten [#REWRITES] times
/// on its way down. Every run on level 0 makes them faster. The rate becomes unlimited before
/// writers would be held back.
public final class Pace {
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final long LEAST = 32L << 20;
    private static final long REWRITES = 10;

    private Pace() {}

    /// The rate that a compaction may write at now.
    ///
    /// @param level0Runs of the tablet that has the most
    /// @param softRuns the number of runs from which writers are held back
    /// @param flushedPerSecond bytes of new files
    public static long bytesPerSecond(int level0Runs, int softRuns, long flushedPerSecond) {
        if (2 * level0Runs >= softRuns) {
            return UNLIMITED;
        }
        return (1 + level0Runs) * Math.max(LEAST, REWRITES * flushedPerSecond);
    }
}
