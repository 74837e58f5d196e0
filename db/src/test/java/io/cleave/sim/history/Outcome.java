package io.cleave.sim.history;

/// What a client knows of its transaction in the end.
public enum Outcome {
    /// It has happened.
    COMMITTED,
    /// It has not, and never will.
    ABORTED,
    /// Nobody has said; it may even happen later.
    UNKNOWN
}
