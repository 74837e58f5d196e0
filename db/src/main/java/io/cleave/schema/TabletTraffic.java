package io.cleave.schema;

/// What a tablet has done since its counters started.
///
/// @param startedMicros when the counters started
public record TabletTraffic(
        long rowReads,
        long rowUpdates,
        long rowDeletes,
        long rangeReads,
        long rangeReadRows,
        LockCounts locks,
        long lastAccessMicros,
        long lastUpdateMicros,
        long startedMicros,
        Transactions transactions) {
    /// Transactions that wrote to the tablet. `inFlight` counts multi-cell transactions that are
    /// prepared and not yet decided.
    public record Transactions(long inFlight, long immediate, long coordinated, long rejected) {}
}
