package io.cleave.log;

import org.jspecify.annotations.Nullable;

/// The log cannot carry out a request.
public class LogException extends RuntimeException {
    public LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
