package io.cleave.log;

/// Another writer has opened the log: this one is over, and its owner no longer leads.
public final class FencedException extends LogException {
    public FencedException(long epoch) {
        this("a newer writer has opened the log; writer " + epoch + " is fenced");
    }

    public FencedException(String message) {
        super(message, null);
    }
}
