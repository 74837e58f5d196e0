package io.cleave.http;

import java.time.Duration;

/// The bounds of a server. Their statuses are in `docs/http.md`.
///
/// @param connections at once, of all peers
/// @param peerConnections at once, of one peer address
/// @param requests whose handlers run at once, of all peers
/// @param peerRequests whose handlers run at once, of one peer address
/// @param requestLineBytes of the first line, which has the URI
/// @param headerBytes of all headers of a request
/// @param headers of a request
/// @param bodyBytes of all bodies that are kept for handlers, at once
/// @param headTime from the first byte of a request to the end of its headers
/// @param bodyTime from the end of the headers to the end of the body
/// @param idleTime a connection without a request
/// @param sendTime in which a client takes what is ready for it, up to [#UNSENT_BYTES]
/// @param lingerTime in which a client that was refused may read why
public record HttpLimits(
        int connections,
        int peerConnections,
        int requests,
        int peerRequests,
        int requestLineBytes,
        int headerBytes,
        int headers,
        long bodyBytes,
        Duration headTime,
        Duration bodyTime,
        Duration idleTime,
        Duration sendTime,
        Duration lingerTime) {
    public static final HttpLimits DEFAULT =
            new HttpLimits(
                    512,
                    256,
                    64,
                    48,
                    8 << 10,
                    16 << 10,
                    100,
                    16 << 20,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(2));

    /// What is given to a socket before its client has taken it.
    static final int UNSENT_BYTES = 32 << 10;

    /// An answer up to this size waits for its client without a slot: as many of them as there are
    /// connections fit into memory.
    static final int SMALL_ANSWER_BYTES = 64 << 10;

    /// What is read from a socket at once, and so what is held of requests that come too early.
    static final int READ_BYTES = 16 << 10;

    /// What a refused client may go on to send before its connection is closed hard.
    static final int LINGER_BYTES = 4 << 20;
}
