package io.cleave.node;

/// The node could not start. The message is one line for the person who started it: what is wrong
/// and what to do.
public final class StartException extends Exception {
    public StartException(String message) {
        super(message);
    }

    /// Describes an I/O exception, whose message alone is often just a file name.
    static String reason(Exception e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
}
