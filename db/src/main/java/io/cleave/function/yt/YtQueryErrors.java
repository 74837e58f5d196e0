package io.cleave.function.yt;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

/// The errors of the query language.
final class YtQueryErrors {
    private YtQueryErrors() {}

    /// A mistake in the query's text.
    static YtError error(String message) {
        return YtError.of(YtCodes.GENERIC, message);
    }

    /// The query failed because of the values of a row.
    static StatusException failure(String message) {
        return new StatusException(Status.PRECONDITION_FAILED, message);
    }
}
