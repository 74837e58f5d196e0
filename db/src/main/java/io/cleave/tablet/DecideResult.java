package io.cleave.tablet;

/// The answer of a coordinator that is told to decide.
public sealed interface DecideResult {
    /// It has happened: this is durable. It is seen when all participants have applied it.
    record Decided(long timestamp) implements DecideResult {}

    /// It will never happen: the coordinator has given it up already.
    record Refused() implements DecideResult {}

    /// The log failed before it answered.
    record Lost(String why) implements DecideResult {}
}
