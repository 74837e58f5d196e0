package io.cleave.ttl;

import java.time.Duration;

/// Settings of the TTL runs.
///
/// @param runInterval between two runs, for tables without an own interval
/// @param firstRun delay after a start, or after a table got its TTL
/// @param retry delay after a run that failed
/// @param rest the pause after a chunk, as a multiple of the time that the chunk took
public record TtlOptions(Duration runInterval, Duration firstRun, Duration retry, int rest) {
    /// Uses at most a fifth of a thread's time.
    private static final int DEFAULT_REST = 4;

    public static final TtlOptions DEFAULT =
            new TtlOptions(
                    Duration.ofHours(1),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(5),
                    DEFAULT_REST);

    /// For tests and simulations, with short delays.
    public static TtlOptions every(Duration runInterval) {
        return new TtlOptions(runInterval, runInterval, runInterval, 1);
    }
}
