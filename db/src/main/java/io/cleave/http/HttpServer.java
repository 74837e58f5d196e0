package io.cleave.http;

import io.cleave.base.Env;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.WriteBufferWaterMark;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpDecoderConfig;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeadersFactory;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpMessage;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequestDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseEncoder;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;

import java.io.IOException;
import java.lang.System.Logger;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Listens on a port and answers requests of HTTP/1.1 there.
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(HttpServer.class.getName());
    private static final WriteBufferWaterMark UNSENT_BYTES =
            new WriteBufferWaterMark(HttpLimits.UNSENT_BYTES / 2, HttpLimits.UNSENT_BYTES);

    /// Clients that the kernel has accepted and this process not yet.
    private static final int BACKLOG = 1024;

    /// They only read and write; what computes or waits is elsewhere.
    private static final int EVENT_LOOPS = 2;

    private final Env env;
    private final HttpLimits limits;
    private final RequestCheck check;
    private final RequestSlots slots;
    private final BodyBudget bodies;
    private final ConnectionTable<HttpConnection> table;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Map<HttpRoute.Shared, SharedAnswer> shared = new ConcurrentHashMap<>();
    private final EventLoopGroup threads;
    private final Channel listening;
    private volatile boolean stopping;

    private HttpServer(
            Env env,
            HttpLimits limits,
            HostNames hosts,
            InetSocketAddress address,
            HttpRoutes routes)
            throws IOException {
        this.env = env;
        this.limits = limits;
        this.check = new RequestCheck(routes, hosts);
        this.slots = new RequestSlots(limits);
        this.bodies = new BodyBudget(limits.bodyBytes());
        this.table = new ConnectionTable<>(limits.connections(), limits.peerConnections());
        ThreadFactory named = new DefaultThreadFactory("http", true);
        this.threads =
                Epoll.isAvailable()
                        ? new EpollEventLoopGroup(EVENT_LOOPS, named)
                        : new NioEventLoopGroup(EVENT_LOOPS, named);
        this.listening = listen(address);
    }

    /// Port 0 takes a free one. Throws [BindException] when the port cannot be had. `hosts` are the
    /// names by which it may be asked.
    public static HttpServer start(
            Env env,
            HttpLimits limits,
            HostNames hosts,
            InetSocketAddress address,
            HttpRoutes routes)
            throws IOException {
        return new HttpServer(env, limits, hosts, address, routes);
    }

    private Channel listen(InetSocketAddress address) throws IOException {
        Class<? extends ServerChannel> kind =
                threads instanceof EpollEventLoopGroup
                        ? EpollServerSocketChannel.class
                        : NioServerSocketChannel.class;
        var bound =
                new ServerBootstrap()
                        .group(threads)
                        .channel(kind)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        // Who has sent all and says so still gets an answer.
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
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
                                })
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stopThreads();
            var failure = new BindException(address + ": " + bound.cause().getMessage());
            failure.initCause(bound.cause());
            throw failure;
        }
        return bound.channel();
    }

    /// TLS, when there is some, is a handler before these.
    private void open(Channel channel) {
        var connection = new HttpConnection(this);
        channel.pipeline()
                .addLast(connection.gate())
                .addLast(new Decoder(limits))
                .addLast(new HttpResponseEncoder())
                .addLast(connection);
    }

    /// Leaves headers as they were sent: [RequestCheck] judges them.
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
            // By default it removes Content-Length, and nobody would know of it.
        }
    }

    /// By default the decoder takes the first of two lengths from HTTP/1.0.
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
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /// How many clients are connected.
    public int connections() {
        return table.size();
    }

    /// How many handlers are at work.
    public int requests() {
        return slots.total();
    }

    Env env() {
        return env;
    }

    HttpLimits limits() {
        return limits;
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

    /// Whether a connection may stay; another one may have to go for it.
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

    /// What a program of ours throws is an answer too.
    static Answer guarded(Supplier<Answer> source) {
        try {
            return source.get();
        } catch (RuntimeException e) {
            report(e);
            return Answer.text(500, "internal error: " + e + "\n");
        }
    }

    static void report(Throwable thrown) {
        LOG.log(Logger.Level.ERROR, "a request failed", thrown);
    }

    /// Ends whatever is there.
    @Override
    public void close() {
        stopping = true;
        var _ = listening.close().awaitUninterruptibly();
        connections.forEach(HttpConnection::closeNow);
        stopThreads();
    }

    private void stopThreads() {
        var _ = threads.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
