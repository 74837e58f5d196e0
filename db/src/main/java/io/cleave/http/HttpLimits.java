package io.cleave.http;

import java.time.Duration;

/// The limits of a server. `docs/http.md` lists the status for each limit.
///
/// @param connections open at once, of all peers
/// @param peerConnections open at once, of one peer address
/// @param requests whose handlers run at once, of all peers
/// @param peerRequests whose handlers run at once, of one peer address
/// @param requestLineBytes of the first line, which contains the URI
/// @param headerBytes of all headers of a request
/// @param headers number of headers of a request
/// @param bodyBytes of all bodies, and of all long headers, that are kept for handlers at once
/// @param peerBodyBytes the share of `bodyBytes` that one peer address may have
/// @param headTime from the first byte of a request to the end of its headers
/// @param bodyTime from the end of the headers to the end of the body
/// @param idleTime how long a connection may stay without a request
/// @param sendTime how long a client may take to read what is ready for it, up to [#UNSENT_BYTES]
/// @param lingerTime how long a client may take to read its last answer
public record HttpLimits(
        int connections,
        int peerConnections,
        int requests,
        int peerRequests,
        int requestLineBytes,
        int headerBytes,
        int headers,
        long bodyBytes,
        long peerBodyBytes,
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
                    12 << 20,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(2));

    /// The number of header bytes that every connection may use without taking them from
    /// `bodyBytes`.
    static final int FREE_HEADER_BYTES = 16 << 10;

    /// Limit of the bytes that were passed to a socket and that the client has not read.
    static final int UNSENT_BYTES = 32 << 10;

    /// An answer up to this size does not hold a slot while it waits for its client. One such
    /// answer for each connection fits into memory.
    static final int SMALL_ANSWER_BYTES = 64 << 10;

    /// A request with a longer body is never answered on a network thread.
    static final int PROMPT_BODY_BYTES = 4 << 10;

    /// A longer body is given to its handler while it arrives, if the route allows that.
    static final int WHOLE_BODY_BYTES = 64 << 10;

    /// Limit of the bytes that wait for a handler which reads its body while it arrives. One more
    /// read from the socket may come on top.
    static final int UNREAD_BODY_BYTES = 128 << 10;

    /// The size of one read from a socket. It limits the bytes that are held of a request that
    /// arrives too early.
    static final int READ_BYTES = 16 << 10;

    /// How much a refused client may still send before its connection is closed. Many clients read
    /// an answer only after they have sent their whole body.
    static final int LINGER_BYTES = 128 << 20;
}
