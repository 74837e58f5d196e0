package io.cleave.rpc;

/// A peer violated HTTP/2. A violation that concerns one stream ends that stream. Any other
/// violation ends the connection, with the reason in the GOAWAY frame.
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1;

    private static final int WHOLE_CONNECTION = 0;

    private final int code;
    private final int stream;

    private ProtocolException(int code, int stream, String message) {
        super(message, null, false, false);
        this.code = code;
        this.stream = stream;
    }

    static ProtocolException ofConnection(int code, String message) {
        return new ProtocolException(code, WHOLE_CONNECTION, message);
    }

    static ProtocolException ofStream(int code, int stream, String message) {
        return new ProtocolException(code, stream, message);
    }

    boolean endsConnection() {
        return stream == WHOLE_CONNECTION;
    }

    int code() {
        return code;
    }

    int stream() {
        return stream;
    }

    /// Checks what a peer has sent. A failed check ends the connection.
    static void check(boolean holds, int code, String message) throws ProtocolException {
        if (!holds) {
            throw ofConnection(code, message);
        }
    }
}
