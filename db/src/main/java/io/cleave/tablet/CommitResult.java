package io.cleave.tablet;

/// How a commit in one cell ended.
public sealed interface CommitResult {
    /// Durable and visible at `timestamp`.
    record Done(long timestamp) implements CommitResult {}

    /// Nothing was written: another wrote what was read (or written) in this table.
    record Broken(long tableId) implements CommitResult {}

    /// Nothing was written: the tablet is no longer here; it was dropped, or its keys have gone to
    /// another, which its successors tell.
    record Gone(long tabletId) implements CommitResult {}

    /// Nothing was written: the tablet's keys, or what was read of them, are elsewhere by now. Find
    /// the routes anew and try again.
    record Moved(long tabletId) implements CommitResult {}

    /// The log failed before it answered; the writes may or may not be there.
    record Lost(String why) implements CommitResult {}
}
