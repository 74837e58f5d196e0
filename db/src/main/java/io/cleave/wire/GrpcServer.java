package io.cleave.wire;

import io.cleave.base.Env;
import io.cleave.query.Database;
import io.cleave.query.Sessions;
import io.cleave.rpc.FrameRates;
import io.cleave.rpc.Limits;
import io.cleave.rpc.RpcServer;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;

import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The gRPC port of a node.
public final class GrpcServer implements AutoCloseable {
    /// Limit for all clients together. A client needs one connection for all its sessions.
    private static final int MAX_CONNECTIONS = 4 * Sessions.MAX_SESSIONS;

    /// Parameters alone may take 50 MB.
    private static final int MAX_MESSAGE_BYTES = 80 << 20;

    private static final int MAX_HEADER_BYTES = 64 << 10;

    /// How much a client may send before the server has read it.
    private static final int WINDOW_BYTES = 4 << 20;

    /// Limit of concurrent calls on a connection, not counting attached sessions.
    private static final int MAX_CALLS = 1_000;

    /// Limit of attached sessions on a connection. It is above the limit of all sessions, because a
    /// session that is being closed still counts here.
    private static final int MAX_ATTACHED = 2 * Sessions.MAX_SESSIONS;

    /// YDB's clients ping every ten seconds, whether or not they have calls.
    private static final Duration LEAST_PING_INTERVAL = Duration.ofSeconds(1);

    /// How often the server pings a silent client. If the client has vanished, its sessions are
    /// closed together with its connection.
    private static final Duration PING_INTERVAL = Duration.ofMinutes(1);

    private static final Duration PING_TIMEOUT = Duration.ofSeconds(20);

    private static final Limits LIMITS =
            new Limits(
                    MAX_CONNECTIONS,
                    MAX_MESSAGE_BYTES,
                    MAX_HEADER_BYTES,
                    WINDOW_BYTES,
                    MAX_CALLS,
                    MAX_ATTACHED,
                    Set.of(QueryServiceGrpc.getAttachSessionMethod().getFullMethodName()),
                    LEAST_PING_INTERVAL,
                    PING_INTERVAL,
                    PING_TIMEOUT,
                    FrameRates.USUAL);

    /// How often the server looks for idle sessions.
    private static final Duration EXPIRY_INTERVAL = Duration.ofSeconds(10);

    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private final RpcServer server;
    private final Database database;
    private final Requests requests;
    private final Thread expiry;

    private GrpcServer(RpcServer server, Database database, Requests requests, Thread expiry) {
        this.server = server;
        this.database = database;
        this.requests = requests;
        this.expiry = expiry;
    }

    /// Starts to serve; port 0 takes a free port. Throws with a message for the user if it cannot
    /// listen on the port.
    public static GrpcServer start(Env env, Database database, String host, int port)
            throws IOException {
        Requests requests = new Requests(env, database.memory());
        // Handlers run on the connections' threads. They hand over to another thread what may wait.
        RpcServer server;
        try {
            server =
                    RpcServer.start(
                            env,
                            LIMITS,
                            database.memory().requests(),
                            database.memory().results(),
                            new InetSocketAddress(host, port),
                            services(database, requests));
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on %s:%d: %s".formatted(host, port, rootMessage(e)), e);
        }
        Thread expiry = env.spawn("session-expiry", () -> expireSessions(env, database));
        return new GrpcServer(server, database, requests, expiry);
    }

    private static List<ServerServiceDefinition> services(Database database, Requests requests) {
        Scripts scripts = new Scripts(database, requests);
        return Stream.of(
                        new DiscoveryService(database, requests).bindService(),
                        new SchemeService(database, requests).bindService(),
                        new TableService(database, requests).bindService(),
                        new QueryService(database, requests, scripts).bound(),
                        new OperationService(requests, scripts).bindService(),
                        new ScriptingService(database, requests).bindService(),
                        new MonitoringService(requests).bindService(),
                        new AuthService(requests).bindService(),
                        new CmsService(database, requests).bindService())
                .map(
                        service ->
                                ServerInterceptors.intercept(
                                        WellFormed.guard(service),
                                        new CallerHeaders(database),
                                        new DatabaseHeader(database.path())))
                .toList();
    }

    public int port() {
        return server.port();
    }

    /// The number of open connections.
    public int connections() {
        return server.connectionCount();
    }

    /// How many connections were refused since the start, because there were too many.
    public long refusedConnections() {
        return server.refusedConnections();
    }

    /// How many connections without calls were closed since the start, to make room for others.
    public long evictedConnections() {
        return server.evictedConnections();
    }

    /// Takes no new calls, waits up to `patience` for the accepted ones, then closes the sessions.
    /// Calls that are still running after that are cut off.
    public void stop(Duration patience) throws InterruptedException {
        expiry.interrupt();
        server.shutdown();
        requests.awaitIdle(patience);
        // Ends the attach streams, which are calls as well.
        database.sessions().closeAll();
        if (!server.awaitTermination(KILL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            server.shutdownNow();
            server.awaitTermination(KILL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /// Stops, and waits only a few seconds for running calls.
    @Override
    public void close() {
        try {
            stop(KILL_TIMEOUT);
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void expireSessions(Env env, Database database) {
        try {
            while (true) {
                env.sleep(EXPIRY_INTERVAL);
                database.sessions().expireIdle();
            }
        } catch (InterruptedException stopped) {
            // The server is stopping.
        }
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
