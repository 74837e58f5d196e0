package io.cleave.node;

/// A node could not start, and nothing was touched. The message is one line for the person who
/// started it: what is wrong and what to do.
public final class StartException extends Exception {
    public StartException(String message) {
        super(message);
    }

    /// Of an exception of the system, whose message alone is often only a file's name.
    static String reason(Exception e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
}
