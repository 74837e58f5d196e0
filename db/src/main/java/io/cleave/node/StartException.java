package io.cleave.node;

/// A node could not start, and nothing was touched. The message is one line for the person who
/// started it: what is wrong and what to do.
public final class StartException extends Exception {
    public StartException(String message) {
        super(message);
    }
}
