package io.cleave.jsonpath;

/// The text is not a valid path, or the path cannot be applied to the document. Callers handle it
/// as `ON ERROR` says, so it has no stack trace.
public final class JsonPathException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonPathException(String message) {
        super(message, null, false, false);
    }
}
