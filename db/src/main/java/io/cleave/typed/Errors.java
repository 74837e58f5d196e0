package io.cleave.typed;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

/// The errors that the analyzer and the functions report.
public final class Errors {
    private Errors() {}

    /// The query is invalid: a type does not match, or a name does not exist.
    public static StatusException type(Position at, String message) {
        return new StatusException(
                Status.GENERIC_ERROR, Issue.error(Issue.TYPE_ANNOTATION, message).at(at));
    }

    /// The query failed at run time because of a value.
    public static StatusException failure(Position at, @Nullable String message) {
        return new StatusException(Status.PRECONDITION_FAILED, String.valueOf(message), at);
    }

    /// A value does not fit the type of its column.
    public static StatusException conversion(String message) {
        return new StatusException(
                Status.GENERIC_ERROR, Issue.error(Issue.BAD_COLUMN_TYPE, message));
    }

    /// YDB supports the expression, but Cleave does not.
    public static StatusException unsupported(Position at, String what) {
        return new StatusException(
                Status.UNSUPPORTED,
                Issue.error(Issue.UNSUPPORTED, what + " is not supported").at(at));
    }
}
