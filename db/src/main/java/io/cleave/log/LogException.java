package io.cleave.log;

import org.jspecify.annotations.Nullable;

/// The log cannot do what was asked.
public class LogException extends RuntimeException {
    public LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
