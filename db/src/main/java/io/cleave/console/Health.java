package io.cleave.console;

import java.util.Optional;

/// What `/healthz` says.
@FunctionalInterface
public interface Health {
    /// False or an exception, whose message is shown: the node is not well, and the answer is 503.
    boolean isWell();

    /// What an operator should look after although all is well still.
    default Optional<String> warning() {
        return Optional.empty();
    }
}
