package io.cleave.tablet;

/// What became of a transaction over several cells.
public sealed interface Decision {
    /// It has happened at this time, whatever comes.
    record Commit(long timestamp) implements Decision {}

    /// It has not happened, and never will.
    record Abort() implements Decision {}

    /// The cell that is asked knows nothing of it: it was never prepared there, was aborted, or has
    /// happened so completely that it was forgotten. For a cell in which it is prepared it is an
    /// abort: what such a cell waits for is not forgotten.
    record Unknown() implements Decision {}
}
