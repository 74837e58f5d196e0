package io.cleave.yt.error;

/// Ends a command with an error. It is thrown where the error is found, and caught once, where the
/// answer is written.
public final class YtException extends RuntimeException {
    private final transient YtError error;

    public YtException(YtError error) {
        // An expected outcome, not a bug, so the cost of a stack trace is avoided.
        super(error.message(), null, false, false);
        this.error = error;
    }

    public YtException(int code, String message) {
        this(YtError.of(code, message));
    }

    public YtError error() {
        return error;
    }
}
