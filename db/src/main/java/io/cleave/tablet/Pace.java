package io.cleave.tablet;

/// How fast a compaction may write: a function of how much waits to be compacted.
///
/// Slow while nothing waits, so that readers and commits find the disk and the processor free;
/// never slower than new files come, each of which is rewritten [#REWRITES] times on its way down;
/// faster with each run on level 0; and without bound before writers would be held back.
final class Pace {
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final long LEAST = 32L << 20;
    private static final long REWRITES = 10;

    private Pace() {}

    /// @param level0Runs of the tablet that has most
    /// @param softRuns from here on writers are held back
    /// @param flushedPerSecond bytes of new files
    static long bytesPerSecond(int level0Runs, int softRuns, long flushedPerSecond) {
        if (2 * level0Runs >= softRuns) {
            return UNLIMITED;
        }
        return (1 + level0Runs) * Math.max(LEAST, REWRITES * flushedPerSecond);
    }
}
