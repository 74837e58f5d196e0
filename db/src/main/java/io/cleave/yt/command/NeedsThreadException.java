package io.cleave.yt.command;

/// A call on a network thread would wait, or take long. It is run again on a thread of its own.
public final class NeedsThreadException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NeedsThreadException() {
        super("the call needs a thread of its own", null, false, false);
    }
}
