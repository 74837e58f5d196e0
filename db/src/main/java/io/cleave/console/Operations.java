package io.cleave.console;

/// What an operator may ask a node for. What cannot be done ends in a
/// [io.cleave.base.StatusException].
public interface Operations {
    /// Rewrites a table's files, and returns when that is done.
    void compact(String table);
}
