package io.cleave.ttl;

import java.time.Duration;

/// How tables with a TTL are gone over.
///
/// @param runInterval between two runs over a table that does not say how long
/// @param firstRun after the start, or after a table got its TTL
/// @param retry after a run that broke off
/// @param rest how many times as long as a batch took nothing is done after it
public record TtlOptions(Duration runInterval, Duration firstRun, Duration retry, int rest) {
    /// A fifth of a thread's time at most.
    private static final int DEFAULT_REST = 4;

    public static final TtlOptions DEFAULT =
            new TtlOptions(
                    Duration.ofHours(1),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(5),
                    DEFAULT_REST);

    /// For tests and simulations: everything happens soon.
    public static TtlOptions every(Duration runInterval) {
        return new TtlOptions(runInterval, runInterval, runInterval, 1);
    }
}
