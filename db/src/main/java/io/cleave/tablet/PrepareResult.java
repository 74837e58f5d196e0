package io.cleave.tablet;

/// How a cell answers to a prepare.
public sealed interface PrepareResult {
    /// Intents and pins are set. It is a promise when [CellLink#awaitPrepared] has returned.
    record Ready() implements PrepareResult {}

    /// Nothing was done: `why` is never [CommitResult.Done].
    record Refused(CommitResult why) implements PrepareResult {}

    /// Nothing was done: the transaction has been ended here already.
    record Ended() implements PrepareResult {}
}
