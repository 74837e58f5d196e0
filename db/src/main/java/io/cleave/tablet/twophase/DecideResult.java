package io.cleave.tablet.twophase;

/// The coordinator's answer to a request to decide.
public sealed interface DecideResult {
    /// Committed: the decision is durable. It becomes visible when all participants have applied
    /// it.
    record Decided(long timestamp) implements DecideResult {}

    /// Will never be committed: the coordinator has already aborted the transaction.
    record Refused() implements DecideResult {}

    /// The log failed before it answered; the outcome is unknown.
    record Lost(String why) implements DecideResult {}
}
