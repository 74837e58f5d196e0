package io.cleave.yt;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

/// Translates statuses of the database into errors of YTsaurus. A command that knows a better error
/// throws a `YtException` instead.
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

    /// Clients retry after the codes 105, 108 and 1700.
    static int code(Status status) {
        return switch (status) {
            case SUCCESS,
                    BAD_REQUEST,
                    INTERNAL_ERROR,
                    SCHEME_ERROR,
                    GENERIC_ERROR,
                    PRECONDITION_FAILED,
                    UNSUPPORTED,
                    // It is unknown whether the change was made, so clients must not simply retry.
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

    /// Whether the same request may succeed later. Such an error is not kept for repeated requests.
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
