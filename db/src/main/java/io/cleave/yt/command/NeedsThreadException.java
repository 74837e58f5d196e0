package io.cleave.yt.command;

/// Thrown by a call on a network thread that would wait or take long. The call is run again on a
/// thread of its own.
public final class NeedsThreadException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NeedsThreadException() {
        super("the call needs a thread of its own", null, false, false);
    }
}
