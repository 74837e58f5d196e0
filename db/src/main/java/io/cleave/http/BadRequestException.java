package io.cleave.http;

/// The bytes are not a valid request, or exceed a limit. The connection ends, because it is not
/// known where the next request begins.
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
