package io.cleave.txn;

/// How a commit ended, as far as this node can tell.
public sealed interface CommitOutcome {
    /// Durable, and visible to every snapshot at `timestamp` or later.
    record Committed(long timestamp) implements CommitOutcome {}

    /// Nothing was written; the transaction may be run again from the start. `table` is the path of
    /// one table it happened in.
    record Conflict(String table) implements CommitOutcome {}

    /// The log went away before it answered: running again could apply the writes twice.
    record Unknown(String why) implements CommitOutcome {}
}
