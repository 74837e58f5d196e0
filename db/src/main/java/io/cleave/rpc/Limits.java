package io.cleave.rpc;

import java.time.Duration;

/// What a client may do.
///
/// @param maxMessageBytes of one message of a request, unpacked
/// @param maxHeaderBytes of the headers of one request
/// @param windowBytes what a client may send on ahead of what is read, on a stream and on a
///   connection
/// @param leastPingInterval clients that ping more often are cut off
/// @param pingInterval how often a silent client is asked whether it is still there
/// @param pingTimeout how long it has to answer
public record Limits(
        int maxMessageBytes,
        int maxHeaderBytes,
        int windowBytes,
        Duration leastPingInterval,
        Duration pingInterval,
        Duration pingTimeout) {}
