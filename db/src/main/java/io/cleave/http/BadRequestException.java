package io.cleave.http;

/// Bytes that are not a request, or more of them than a request may have: the connection ends, for
/// where the next request begins is not known.
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
