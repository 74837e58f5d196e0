package io.cleave.txn;

/// How a commit ended, as far as this node knows.
public sealed interface CommitOutcome {
    /// Durable, and visible to every snapshot at `timestamp` or later.
    record Committed(long timestamp) implements CommitOutcome {}

    /// Nothing was written; the transaction may be retried from the start. `table` is the path of a
    /// table with a conflict.
    record Conflict(String table) implements CommitOutcome {}

    /// The log failed before it answered. A retry could apply the writes twice.
    record Unknown(String why) implements CommitOutcome {}
}
