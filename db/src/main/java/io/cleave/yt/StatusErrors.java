package io.cleave.yt;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

/// The database's statuses as errors of YTsaurus. Commands throw a `YtException` where they know
/// better; this table is for everything else.
final class StatusErrors {
    private StatusErrors() {}

    static YtError of(StatusException failure) {
        int code = code(failure.status());
        if (failure.issues().size() == 1) {
            return of(code, failure.issues().getFirst());
        }
        YtError error = YtError.of(code, "Request failed with status " + failure.status());
        for (Issue issue : failure.issues()) {
            error = error.with(of(code, issue));
        }
        return error;
    }

    private static YtError of(int code, Issue issue) {
        YtError error = YtError.of(code, issue.message());
        for (Issue cause : issue.causes()) {
            error = error.with(of(YtCodes.GENERIC, cause));
        }
        return error;
    }

    /// Clients try again after 105, 108 and 1700.
    static int code(Status status) {
        return switch (status) {
            case SUCCESS,
                    BAD_REQUEST,
                    INTERNAL_ERROR,
                    SCHEME_ERROR,
                    GENERIC_ERROR,
                    PRECONDITION_FAILED,
                    UNSUPPORTED,
                    // Whether the change was made is unknown, so clients must not just repeat it.
                    UNDETERMINED ->
                    YtCodes.GENERIC;
            case UNAUTHORIZED -> YtCodes.AUTHORIZATION_ERROR;
            case ABORTED -> YtCodes.TRANSACTION_LOCK_CONFLICT;
            case UNAVAILABLE, BAD_SESSION, SESSION_EXPIRED, SESSION_BUSY, EXTERNAL_ERROR ->
                    YtCodes.UNAVAILABLE;
            case OVERLOADED -> YtCodes.REQUEST_QUEUE_SIZE_LIMIT;
            case TIMEOUT -> YtCodes.TIMEOUT;
            case CANCELLED -> YtCodes.CANCELED;
            case ALREADY_EXISTS -> YtCodes.ALREADY_EXISTS;
            case NOT_FOUND -> YtCodes.RESOLVE_ERROR;
        };
    }

    /// Whether the same request may succeed later, so that its error is not kept for repetitions.
    static boolean isTransient(YtError error) {
        return switch (error.code()) {
            case YtCodes.UNAVAILABLE,
                    YtCodes.REQUEST_QUEUE_SIZE_LIMIT,
                    YtCodes.REQUEST_THROTTLED,
                    YtCodes.TRANSACTION_LOCK_CONFLICT,
                    YtCodes.TIMEOUT,
                    YtCodes.CANCELED ->
                    true;
            default -> error.innerErrors().stream().anyMatch(StatusErrors::isTransient);
        };
    }
}
