package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

/// The refusals of the analyser.
final class Errors {
    private Errors() {}

    /// The expression makes no sense: a wrong type, a name that is not there.
    static StatusException type(Position at, String message) {
        return new StatusException(
                Status.GENERIC_ERROR, Issue.error(Issue.TYPE_ANNOTATION, message).at(at));
    }

    /// A value that a run cannot go on with.
    static StatusException failure(Position at, @Nullable String message) {
        return new StatusException(Status.PRECONDITION_FAILED, String.valueOf(message), at);
    }

    /// A value that does not fit its column.
    static StatusException conversion(String message) {
        return new StatusException(
                Status.GENERIC_ERROR, Issue.error(Issue.BAD_COLUMN_TYPE, message));
    }

    /// The expression makes sense to YDB, but not here.
    static StatusException unsupported(Position at, String what) {
        return new StatusException(
                Status.UNSUPPORTED,
                Issue.error(Issue.UNSUPPORTED, what + " is not supported").at(at));
    }
}
