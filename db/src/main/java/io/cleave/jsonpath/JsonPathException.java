package io.cleave.jsonpath;

/// A text that is no path, or a document that a path cannot be applied to. Callers answer it with
/// what `ON ERROR` says, so it carries no stack.
public final class JsonPathException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonPathException(String message) {
        super(message, null, false, false);
    }
}
