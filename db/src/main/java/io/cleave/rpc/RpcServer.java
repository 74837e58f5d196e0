package io.cleave.rpc;

import io.cleave.base.Env;
import io.cleave.memory.MemoryPool;
import io.cleave.net.ListeningPort;
import io.cleave.net.OpenFileLimit;
import io.grpc.Grpc;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.WriteBufferWaterMark;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Listens on a port and answers gRPC calls.
public final class RpcServer {
    private static final Logger LOG = System.getLogger(RpcServer.class.getName());
    private static final WriteBufferWaterMark UNSENT_BYTES =
            new WriteBufferWaterMark(128 << 10, 256 << 10);

    /// Limit of connections that were refused or evicted and are not closed yet. Beyond it,
    /// connections are closed without a reason.
    private static final int MOST_LEAVING = 1_000;

    /// How often the log says that connections are refused or evicted.
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final Env env;
    private final Limits limits;
    private final RequestMemory memory;
    private final MemoryPool replies;
    private final ParsingThreads parsing;
    private final Map<String, BoundMethod<?, ?>> methods = new HashMap<>();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final int maxConnections;
    private final ConnectionPlaces places;

    /// When the log may say again that there are too many connections.
    private final AtomicLong nextLogNanos;

    /// Null until the server listens. Connections may arrive slightly earlier.
    private volatile @Nullable ListeningPort port;

    private volatile boolean stopping;

    private RpcServer(
            Env env,
            Limits limits,
            MemoryPool requests,
            MemoryPool replies,
            List<ServerServiceDefinition> services) {
        this.env = env;
        this.nextLogNanos = new AtomicLong(env.nanoTime());
        this.limits = limits;
        this.memory = new RequestMemory(requests);
        this.replies = replies;
        for (ServerServiceDefinition service : services) {
            for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
                String name = method.getMethodDescriptor().getFullMethodName();
                methods.put(
                        "/" + name, BoundMethod.of(method, limits.longMethods().contains(name)));
            }
        }
        int processors = Runtime.getRuntime().availableProcessors();
        this.parsing = new ParsingThreads(env, Math.max(1, processors / 2));
        this.maxConnections = OpenFileLimit.connections(limits.maxConnections());
        this.places = new ConnectionPlaces(maxConnections);
    }

    /// Starts to listen; port 0 takes a free port. The memory of requests and of waiting replies is
    /// taken from `requests` and `replies`. Throws the operating system's error if it cannot
    /// listen.
    public static RpcServer start(
            Env env,
            Limits limits,
            MemoryPool requests,
            MemoryPool replies,
            InetSocketAddress address,
            List<ServerServiceDefinition> services)
            throws IOException {
        RpcServer server = new RpcServer(env, limits, requests, replies, services);
        server.listen(address);
        return server;
    }

    private void listen(InetSocketAddress address) throws IOException {
        var settings =
                new ServerBootstrap()
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(new FrameReader(RpcServer.this));
                                    }
                                });
        int threads = Runtime.getRuntime().availableProcessors();
        port = ListeningPort.open("rpc", threads, settings, address);
    }

    public int port() {
        return listening().number();
    }

    private ListeningPort listening() {
        return Objects.requireNonNull(port);
    }

    Env env() {
        return env;
    }

    MemoryPool replies() {
        return replies;
    }

    RequestMemory memory() {
        return memory;
    }

    ParsingThreads parsing() {
        return parsing;
    }

    Limits limits() {
        return limits;
    }

    /// For tests.
    Set<Connection> connections() {
        return connections;
    }

    @Nullable BoundMethod<?, ?> method(String path) {
        return methods.get(path);
    }

    /// Admits a connection, or returns why it is refused. The connection may evict another one.
    Optional<String> opened(Connection connection) {
        connections.add(connection);
        if (stopping) {
            connection.later(connection::leave);
        }
        ConnectionPlaces.Admission admission = places.admit(connection);
        admission.evicted().ifPresent(Connection::makeRoom);
        if (admission.evicted().isPresent() || admission.refusal().isPresent()) {
            logCrowd(connection);
        }
        return admission.refusal();
    }

    /// One line a minute, however many connections come.
    private void logCrowd(Connection newest) {
        long now = env.nanoTime();
        long next = nextLogNanos.get();
        if (now - next < 0 || !nextLogNanos.compareAndSet(next, now + LOG_INTERVAL.toNanos())) {
            return;
        }
        LOG.log(
                Logger.Level.WARNING,
                "Too many connections: the limit is %d, and three quarters of it for one address. Since the start, %d were refused, and %d without calls were closed for new ones. The newest one is from %s"
                        .formatted(
                                maxConnections,
                                places.refused(),
                                places.evicted(),
                                newest.attributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
    }

    /// The number of open connections, including those that are being closed.
    public int connectionCount() {
        return connections.size();
    }

    /// How many connections were refused since the start, because there were too many.
    public long refusedConnections() {
        return places.refused();
    }

    /// How many connections without calls were closed since the start, to make room for others.
    public long evictedConnections() {
        return places.evicted();
    }

    /// Whether so many connections are being closed that the next ones are closed without a reason.
    boolean isCrowded() {
        return connections.size() > maxConnections + MOST_LEAVING;
    }

    void closed(Connection connection) {
        connections.remove(connection);
        places.leave(connection);
        if (stopping && connections.isEmpty()) {
            stopThreads();
        }
    }

    void report(Throwable thrown) {
        LOG.log(Logger.Level.ERROR, "a call failed", thrown);
    }

    /// Takes no new calls, and stops once the open ones have ended.
    public void shutdown() {
        stopping = true;
        listening().stopListening();
        for (Connection connection : connections) {
            connection.later(connection::leave);
        }
        if (connections.isEmpty()) {
            stopThreads();
        }
    }

    /// Stops at once, and cuts off open calls.
    public void shutdownNow() {
        shutdown();
        for (Connection connection : connections) {
            connection.closeNow();
        }
        stopThreads();
    }

    private void stopThreads() {
        listening().stopThreads();
    }

    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return listening().awaitTermination(timeout, unit);
    }
}
