package io.cleave.txn;

/// A read asked for a moment whose versions are no longer kept.
public final class PastGoneException extends RuntimeException {
    private final long timestamp;
    private final long tabletId;
    private final long retained;

    PastGoneException(long timestamp, long tabletId, long retained) {
        // An expected outcome, not a bug, so the cost of a stack trace is avoided.
        super(
                "timestamp %d is before %d, the oldest that tablet %d keeps"
                        .formatted(timestamp, retained, tabletId),
                null,
                false,
                false);
        this.timestamp = timestamp;
        this.tabletId = tabletId;
        this.retained = retained;
    }

    public long timestamp() {
        return timestamp;
    }

    public long tabletId() {
        return tabletId;
    }

    /// The oldest timestamp that the tablet can be read at.
    public long retained() {
        return retained;
    }
}
