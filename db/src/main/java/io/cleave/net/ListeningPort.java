package io.cleave.net;

import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;

import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/// A listening port, and the threads that serve its connections. They use `epoll`, or Java's
/// selector where `epoll` is not available.
///
/// Threads: any.
public final class ListeningPort {
    /// Limit of connections that the kernel has accepted and this process has not.
    private static final int BACKLOG = 1024;

    private final EventLoopGroup threads;
    private final Channel listening;

    private ListeningPort(EventLoopGroup threads, Channel listening) {
        this.threads = threads;
        this.listening = listening;
    }

    /// Starts to listen, with threads of this name; port 0 takes a free port. `settings` has the
    /// handler of new connections, and the options that differ between ports.
    public static ListeningPort open(
            String name, int threadCount, ServerBootstrap settings, InetSocketAddress address)
            throws BindException {
        ThreadFactory named = new DefaultThreadFactory(name, true);
        EventLoopGroup threads =
                Epoll.isAvailable()
                        ? new EpollEventLoopGroup(threadCount, named)
                        : new NioEventLoopGroup(threadCount, named);
        var bound =
                settings.group(threads)
                        .channel(
                                threads instanceof EpollEventLoopGroup
                                        ? EpollServerSocketChannel.class
                                        : NioServerSocketChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stop(threads);
            var failure = new BindException(address + ": " + bound.cause().getMessage());
            failure.initCause(bound.cause());
            throw failure;
        }
        return new ListeningPort(threads, bound.channel());
    }

    public int number() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /// Accepts no more connections. Open ones stay open.
    public void stopListening() {
        var _ = listening.close().awaitUninterruptibly();
    }

    /// Stops the threads, which ends every connection.
    public void stopThreads() {
        stop(threads);
    }

    private static void stop(EventLoopGroup threads) {
        var _ = threads.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit);
    }
}
