package io.cleave.http;

/// Thrown if the bytes are not a valid request, or exceed a limit. The connection ends, because the
/// beginning of the next request is unknown.
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    BadRequestException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
