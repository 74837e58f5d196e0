package io.cleave.http;

import io.cleave.base.Env;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpContent;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The body of an answer that is written while it is sent. Writing waits while the client has more
/// than [HttpLimits#UNSENT_BYTES] to read, and fails if the client does not read on in time.
///
/// For a HEAD request, everything that is written is discarded.
///
/// Threads: one thread writes; the event loop calls [#wake].
final class ResponseStream extends OutputStream {
    private static final int CHUNK_BYTES = 8 << 10;

    private final Env env;
    private final Channel channel;
    private final Duration patience;
    private final boolean isDiscarding;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final byte[] buffer = new byte[CHUNK_BYTES];
    private int buffered;

    ResponseStream(Env env, Channel channel, Duration patience, boolean isDiscarding) {
        this.env = env;
        this.channel = channel;
        this.patience = patience;
        this.isDiscarding = isDiscarding;
    }

    @Override
    public void write(int octet) throws IOException {
        buffer[buffered++] = (byte) octet;
        if (buffered == buffer.length) {
            flush();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int done = 0;
        while (done < length) {
            int count = Math.min(length - done, buffer.length - buffered);
            System.arraycopy(bytes, offset + done, buffer, buffered, count);
            buffered += count;
            done += count;
            if (buffered == buffer.length) {
                flush();
            }
        }
    }

    /// Sends the buffered bytes as a chunk.
    @Override
    public void flush() throws IOException {
        awaitRoom();
        if (buffered == 0 || isDiscarding) {
            buffered = 0;
            return;
        }
        byte[] chunk = Arrays.copyOf(buffer, buffered);
        buffered = 0;
        // A failed write closes the channel; the next flush then fails.
        var _ = channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(chunk)));
    }

    private void awaitRoom() throws IOException {
        long deadline = env.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            while (channel.isActive() && !channel.isWritable()) {
                long left = deadline - env.nanoTime();
                if (left <= 0) {
                    throw new IOException(
                            "the client has taken less than %d bytes in %d s"
                                    .formatted(HttpLimits.UNSENT_BYTES, patience.toSeconds()));
                }
                env.await(changed, Duration.ofNanos(left));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            lock.unlock();
        }
        if (!channel.isActive()) {
            throw new IOException("the client has closed the connection");
        }
    }

    /// Called when the client has read something, or is gone.
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
