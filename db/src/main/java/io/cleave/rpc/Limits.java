package io.cleave.rpc;

import java.time.Duration;
import java.util.Set;

/// Limits for clients.
///
/// @param maxConnections of all clients at once, or half of the files that the process may open if
///   that is less; one address may have three quarters of them
/// @param maxMessageBytes of one request message, uncompressed
/// @param maxHeaderBytes of the headers of one request
/// @param windowBytes how much a client may send before the server has read it, on a stream and on
///   a connection
/// @param maxCalls open at once on a connection, not counting those of `longMethods`
/// @param maxLongCalls calls of `longMethods` open at once on a connection
/// @param longMethods full names of methods whose calls stay open for as long as the client wants
/// @param leastPingInterval clients that ping more often are cut off
/// @param pingInterval how often a silent client is pinged
/// @param pingTimeout how long the client has to answer a ping
/// @param rates of frames
public record Limits(
        int maxConnections,
        int maxMessageBytes,
        int maxHeaderBytes,
        int windowBytes,
        int maxCalls,
        int maxLongCalls,
        Set<String> longMethods,
        Duration leastPingInterval,
        Duration pingInterval,
        Duration pingTimeout,
        FrameRates rates) {
    public Limits {
        longMethods = Set.copyOf(longMethods);
    }
}
