package io.cleave.console;

import io.cleave.access.Caller;

/// Gives each caller of the HTTP port the operations that this caller may request.
public interface OperatorAccess {
    Operations as(Caller caller);

    /// Whether the node was started with the option that allows `freeze`.
    boolean mayFreeze();
}
