package io.cleave.tablet.twophase;

import io.cleave.tablet.record.CommitResult;

/// A cell's answer to a prepare.
public sealed interface PrepareResult {
    /// Intents and pins are set. The prepare is a promise only when [CellLink#awaitPrepared] has
    /// returned.
    record Ready() implements PrepareResult {}

    /// Nothing was done: `why` is never [CommitResult.Done].
    record Refused(CommitResult why) implements PrepareResult {}

    /// Nothing was done: the transaction has already ended here.
    record Ended() implements PrepareResult {}
}
