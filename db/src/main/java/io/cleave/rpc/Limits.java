package io.cleave.rpc;

import java.time.Duration;
import java.util.Set;

/// What a client may do.
///
/// @param maxMessageBytes of one message of a request, unpacked
/// @param maxHeaderBytes of the headers of one request
/// @param windowBytes what a client may send on ahead of what is read, on a stream and on a
///   connection
/// @param maxCalls that are open at once on a connection, besides those of `longMethods`
/// @param maxLongCalls that are open at once on a connection
/// @param longMethods full names of methods whose calls stay open for as long as the client likes
/// @param leastPingInterval clients that ping more often are cut off
/// @param pingInterval how often a silent client is asked whether it is still there
/// @param pingTimeout how long it has to answer
/// @param rates of frames
public record Limits(
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
