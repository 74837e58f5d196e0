package io.cleave.http;

import io.cleave.base.Env;
import io.cleave.memory.MemoryPool;
import io.cleave.net.ListeningPort;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.WriteBufferWaterMark;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpDecoderConfig;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeadersFactory;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpMessage;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequestDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseEncoder;

import java.io.IOException;
import java.lang.System.Logger;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Listens on a port and answers HTTP/1.1 requests.
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(HttpServer.class.getName());
    private static final WriteBufferWaterMark UNSENT_BYTES =
            new WriteBufferWaterMark(HttpLimits.UNSENT_BYTES / 2, HttpLimits.UNSENT_BYTES);

    /// The number of threads that only read and write. Other threads compute and wait.
    private static final int EVENT_LOOPS = 2;

    private final Env env;
    private final HttpLimits limits;
    private final RequestCheck check;
    private final RequestSlots slots;
    private final BodyBudget bodies;
    private final ConnectionTable<HttpConnection> table;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Map<HttpRoute.Shared, SharedAnswer> shared = new ConcurrentHashMap<>();
    private final HttpDate date = new HttpDate();
    private final ListeningPort port;
    private volatile boolean stopping;

    private HttpServer(
            Env env,
            HttpLimits limits,
            HostNames hosts,
            InetSocketAddress address,
            HttpRoutes routes,
            Optional<MemoryPool> pool)
            throws IOException {
        this.env = env;
        this.limits = limits;
        this.check = new RequestCheck(routes, hosts);
        this.slots = new RequestSlots(limits);
        this.bodies = new BodyBudget(limits, pool);
        this.table = new ConnectionTable<>(limits.connections(), limits.peerConnections());
        this.port = listen(address);
    }

    /// Starts to listen; port 0 takes a free port. Throws [BindException] if it cannot listen.
    /// `hosts` has the names by which clients may address the server.
    public static HttpServer start(
            Env env,
            HttpLimits limits,
            HostNames hosts,
            InetSocketAddress address,
            HttpRoutes routes)
            throws IOException {
        return new HttpServer(env, limits, hosts, address, routes, Optional.empty());
    }

    /// Starts to listen, like the method above. The memory of requests is taken from `pool`.
    public static HttpServer start(
            Env env,
            HttpLimits limits,
            HostNames hosts,
            InetSocketAddress address,
            HttpRoutes routes,
            MemoryPool pool)
            throws IOException {
        return new HttpServer(env, limits, hosts, address, routes, Optional.of(pool));
    }

    private ListeningPort listen(InetSocketAddress address) throws IOException {
        var settings =
                new ServerBootstrap()
                        // A client that has closed its output still gets its answer.
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(
                                ChannelOption.RCVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator(512, 2048, HttpLimits.READ_BYTES))
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        open(channel);
                                    }
                                });
        return ListeningPort.open("http", EVENT_LOOPS, settings, address);
    }

    /// Adds the handlers of a connection. A TLS handler would be added before them.
    private void open(Channel channel) {
        var connection = new HttpConnection(this);
        channel.pipeline()
                .addLast(connection.gate())
                .addLast(new Decoder(limits))
                .addLast(new HttpResponseEncoder())
                .addLast(connection);
    }

    /// Keeps the headers as they were sent, so that [RequestCheck] can check them.
    private static final class Decoder extends HttpRequestDecoder {
        private static final HttpHeadersFactory ONE_LENGTH =
                new HttpHeadersFactory() {
                    @Override
                    public HttpHeaders newHeaders() {
                        return new OneLengthHeaders();
                    }

                    @Override
                    public HttpHeaders newEmptyHeaders() {
                        return new OneLengthHeaders();
                    }
                };

        Decoder(HttpLimits limits) {
            super(
                    new HttpDecoderConfig()
                            .setMaxInitialLineLength(limits.requestLineBytes())
                            .setMaxHeaderSize(limits.headerBytes())
                            .setMaxChunkSize(HttpLimits.READ_BYTES)
                            .setHeadersFactory(ONE_LENGTH));
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            // By default, the decoder would remove Content-Length, and the check would not see it.
        }
    }

    /// Refuses two lengths. By default, the decoder accepts them in HTTP/1.0 and takes the first
    /// one.
    private static final class OneLengthHeaders extends DefaultHttpHeaders {
        @Override
        public HttpHeaders add(CharSequence name, Object value) {
            if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name) && contains(name)) {
                throw new IllegalArgumentException("Content-Length is given twice");
            }
            return super.add(name, value);
        }
    }

    public int port() {
        return port.number();
    }

    /// The number of open connections.
    public int connections() {
        return table.size();
    }

    /// The number of running handlers.
    public int requests() {
        return slots.total();
    }

    Env env() {
        return env;
    }

    HttpLimits limits() {
        return limits;
    }

    /// The value of the header `Date` of an answer that is sent now.
    String date() {
        return date.at(env.wallMicros());
    }

    RequestCheck check() {
        return check;
    }

    RequestSlots slots() {
        return slots;
    }

    BodyBudget bodies() {
        return bodies;
    }

    ConnectionTable<HttpConnection> table() {
        return table;
    }

    SharedAnswer shared(HttpRoute.Shared route) {
        return shared.computeIfAbsent(route, _ -> new SharedAnswer(env, route.answer()));
    }

    boolean isStopping() {
        return stopping;
    }

    /// Whether the connection is admitted. Another connection may be closed to make room.
    boolean admit(HttpConnection connection, Object peer) {
        var admission = table.admit(connection, peer);
        admission.evicted().ifPresent(HttpConnection::closeNow);
        if (!admission.isAdmitted()) {
            return false;
        }
        connections.add(connection);
        return !stopping;
    }

    void left(HttpConnection connection) {
        connections.remove(connection);
        table.leave(connection);
    }

    /// Turns an exception of our own code into an answer.
    @SuppressWarnings("CatchThrowable") // otherwise the slot of the request would be lost
    static Answer guarded(Supplier<Answer> source) {
        try {
            return source.get();
        } catch (Throwable thrown) {
            report(thrown);
            return Answer.text(500, "internal error: " + thrown + "\n");
        }
    }

    static void report(Throwable thrown) {
        LOG.log(Logger.Level.ERROR, "a request failed", thrown);
    }

    /// Stops at once, and closes all connections.
    @Override
    public void close() {
        stopping = true;
        port.stopListening();
        connections.forEach(HttpConnection::closeNow);
        port.stopThreads();
    }
}
