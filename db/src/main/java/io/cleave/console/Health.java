package io.cleave.console;

import java.util.Optional;

/// The answer to `/healthz`.
@FunctionalInterface
public interface Health {
    /// If this returns false or throws, the node is not healthy and the answer is 503. The message
    /// of the exception is shown.
    boolean isWell();

    /// A problem that an operator should solve although the node is still healthy.
    default Optional<String> warning() {
        return Optional.empty();
    }
}
