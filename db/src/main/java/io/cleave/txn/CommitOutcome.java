package io.cleave.txn;

import io.cleave.schema.RowConflict;

import org.jspecify.annotations.Nullable;

/// How a commit ended, as far as this node knows.
public sealed interface CommitOutcome {
    /// Durable, and visible to every snapshot at `timestamp` or later.
    record Committed(long timestamp) implements CommitOutcome {}

    /// Nothing was written; the transaction may be retried from the start. `table` is the path of a
    /// table with a conflict. `row` is known if the transaction has row locks.
    record Conflict(String table, @Nullable RowConflict row) implements CommitOutcome {
        public Conflict(String table) {
            this(table, null);
        }
    }

    /// The log failed before it answered. A retry could apply the writes twice.
    record Unknown(String why) implements CommitOutcome {}
}
