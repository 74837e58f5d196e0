package io.cleave.rpc;

import io.cleave.base.Env;
import io.cleave.memory.MemoryPool;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
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
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/// Listens on a port and answers calls of gRPC there.
public final class RpcServer {
    private static final Logger LOG = System.getLogger(RpcServer.class.getName());
    private static final WriteBufferWaterMark UNSENT_BYTES =
            new WriteBufferWaterMark(128 << 10, 256 << 10);

    private final Env env;
    private final Limits limits;
    private final RequestMemory memory;
    private final MemoryPool replies;
    private final ParsingThreads parsing;
    private final Map<String, BoundMethod<?, ?>> methods = new HashMap<>();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final EventLoopGroup threads;
    private @Nullable Channel listening;
    private volatile boolean stopping;

    private RpcServer(
            Env env,
            Limits limits,
            MemoryPool requests,
            MemoryPool replies,
            List<ServerServiceDefinition> services) {
        this.env = env;
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
        ThreadFactory named = new DefaultThreadFactory("rpc", true);
        int count = Runtime.getRuntime().availableProcessors();
        this.parsing = new ParsingThreads(env, Math.max(1, count / 2));
        this.threads =
                Epoll.isAvailable()
                        ? new EpollEventLoopGroup(count, named)
                        : new NioEventLoopGroup(count, named);
    }

    /// What is kept of requests and of answers that wait is taken from `requests` and `replies`.
    /// Port 0 takes a free one. Throws what the machine says when the port cannot be had.
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
        Class<? extends ServerChannel> kind =
                threads instanceof EpollEventLoopGroup
                        ? EpollServerSocketChannel.class
                        : NioServerSocketChannel.class;
        var bound =
                new ServerBootstrap()
                        .group(threads)
                        .channel(kind)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(new FrameReader(RpcServer.this));
                                    }
                                })
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stopThreads();
            throw new IOException(bound.cause());
        }
        listening = bound.channel();
    }

    public int port() {
        Channel channel = listening;
        return channel == null ? 0 : ((InetSocketAddress) channel.localAddress()).getPort();
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

    /// To be looked at by tests.
    Set<Connection> connections() {
        return connections;
    }

    @Nullable BoundMethod<?, ?> method(String path) {
        return methods.get(path);
    }

    void opened(Connection connection) {
        connections.add(connection);
        if (stopping) {
            connection.later(connection::leave);
        }
    }

    void closed(Connection connection) {
        connections.remove(connection);
        if (stopping && connections.isEmpty()) {
            stopThreads();
        }
    }

    void report(Throwable thrown) {
        LOG.log(Logger.Level.ERROR, "a call failed", thrown);
    }

    /// Takes no new calls, and ends when those that are there have ended.
    public void shutdown() {
        stopping = true;
        Channel channel = listening;
        if (channel != null) {
            var _ = channel.close().awaitUninterruptibly();
        }
        for (Connection connection : connections) {
            connection.later(connection::leave);
        }
        if (connections.isEmpty()) {
            stopThreads();
        }
    }

    /// Ends whatever is there.
    public void shutdownNow() {
        shutdown();
        for (Connection connection : connections) {
            connection.closeNow();
        }
        stopThreads();
    }

    private void stopThreads() {
        var _ = threads.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit);
    }
}
