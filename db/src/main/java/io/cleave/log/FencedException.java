package io.cleave.log;

/// Another writer has opened the log. This writer has ended, and its owner is no longer the leader.
public final class FencedException extends LogException {
    public FencedException(long epoch) {
        this("a newer writer has opened the log; writer " + epoch + " is fenced");
    }

    public FencedException(String message) {
        super(message, null);
    }
}
