package io.cleave.tablet.pace;

/// Decides how a commit is held back when flushes and compactions lag behind: not at all, for a
/// while, or until there is room. A pure function of how much is waiting.
///
/// Above the soft limit of a resource, commits are delayed; the delay grows towards the hard limit.
/// At the hard limit, commits wait. Writers therefore slow down to the speed of the cell before any
/// commit is refused.
public final class BackPressure {
    /// The delay just below the hard limit, for each [#DELAYED_BYTES] of a commit.
    private static final long MOST_DELAY_NANOS = 10_000_000;

    private static final long DELAYED_BYTES = 64 << 10;
    private static final long LONGEST_DELAY_NANOS = 1_000_000_000;

    /// Work that waits for the background.
    ///
    /// @param level0Runs the largest number of level-0 runs among the tablets that the commit
    ///   writes to
    /// @param unflushedBytes in the memtables of all cells
    /// @param logBytes of this cell's log that a restart would read
    public record Waiting(long level0Runs, long unflushedBytes, long logBytes) {}

    /// Commits are delayed above `soft`, and wait from `hard` on.
    public record Limit(long soft, long hard) {
        /// 0 up to the soft limit, 1 from the hard limit on.
        double pressure(long value) {
            return Math.clamp((double) (value - soft) / (hard - soft), 0.0, 1.0);
        }
    }

    public record Limits(Limit level0Runs, Limit unflushedBytes, Limit logBytes) {}

    public sealed interface Answer {
        record Go() implements Answer {}

        record Delay(long nanos) implements Answer {}

        /// `why` goes into the message if the commit is refused in the end.
        record Stop(String why) implements Answer {}
    }

    private BackPressure() {}

    public static Answer decide(Waiting waiting, Limits limits, long commitBytes) {
        double runs = limits.level0Runs().pressure(waiting.level0Runs());
        double unflushed = limits.unflushedBytes().pressure(waiting.unflushedBytes());
        double log = limits.logBytes().pressure(waiting.logBytes());
        double most = Math.max(runs, Math.max(unflushed, log));
        if (most <= 0) {
            return new Answer.Go();
        }
        if (most < 1) {
            double parts = Math.max(1.0, (double) commitBytes / DELAYED_BYTES);
            double nanos = most * most * MOST_DELAY_NANOS * parts;
            return new Answer.Delay(Math.min((long) nanos, LONGEST_DELAY_NANOS));
        }
        if (runs >= 1) {
            return new Answer.Stop(
                    "%d files wait to be compacted in a tablet it writes to, the limit is %d"
                            .formatted(waiting.level0Runs(), limits.level0Runs().hard()));
        }
        if (unflushed >= 1) {
            return new Answer.Stop(
                    "%d bytes wait in memory to be written to files, the limit is %d"
                            .formatted(waiting.unflushedBytes(), limits.unflushedBytes().hard()));
        }
        return new Answer.Stop(
                "%d bytes of log are not in files yet, the limit is %d"
                        .formatted(waiting.logBytes(), limits.logBytes().hard()));
    }
}
