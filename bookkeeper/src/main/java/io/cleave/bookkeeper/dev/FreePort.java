package io.cleave.bookkeeper.dev;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/// Chooses ports for servers that keep them over restarts. The ports are below the range for
/// outgoing connections, because such a connection could take the port while the server is down.
public final class FreePort {
    private static final int LOWEST = 20_000;

    /// The start of Linux's range for outgoing connections; other systems start higher.
    private static final int END = 32_768;

    private static final int MOST_TRIES = 1000;

    private FreePort() {}

    /// A port that nobody listens on and that is not `taken`.
    public static int choose(RandomGenerator random, IntPredicate taken) throws IOException {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            int port = random.nextInt(LOWEST, END);
            if (!taken.test(port) && isFree(port)) {
                return port;
            }
        }
        throw new IOException("no port from " + LOWEST + " to " + (END - 1) + " is free");
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            // The servers set this too: an ended connection does not block the port.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
