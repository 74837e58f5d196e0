package io.cleave.tablet.record;

import io.cleave.schema.RowConflict;

import org.jspecify.annotations.Nullable;

/// How a commit in one cell ended.
public sealed interface CommitResult {
    /// Durable and visible at `timestamp`.
    record Done(long timestamp) implements CommitResult {}

    /// Nothing was written: another transaction wrote rows of this table that this one read or
    /// wrote. `conflict` has the row, if the transaction has row locks.
    record Broken(long tableId, @Nullable RowConflict conflict) implements CommitResult {
        public Broken(long tableId) {
            this(tableId, null);
        }
    }

    /// Nothing was written: the tablet is no longer here. It was dropped, or its keys went to other
    /// tablets, which are its successors.
    record Gone(long tabletId) implements CommitResult {}

    /// Nothing was written: the tablet's keys, or the read locks on them, are in another cell now.
    /// Look up the routes again and retry.
    record Moved(long tabletId) implements CommitResult {}

    /// Nothing was written: the writes were made for an earlier version of this table than its
    /// tablets require.
    record Outdated(long tableId) implements CommitResult {}

    /// The log failed before it answered; the writes may or may not be durable.
    record Lost(String why) implements CommitResult {}
}
