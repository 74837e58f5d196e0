package io.cleave.bench.abuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Headers;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The client side of an HTTP/2 connection, without the rules that a library keeps: it sends what
/// it is given, and respects the server's windows only in [#send].
///
/// Threads: any. A thread of its own reads.
final class Http2Connection implements AutoCloseable {
    private static final Duration GREETING_LIMIT = Duration.ofSeconds(5);

    /// How long a send may wait for a server that does not read.
    private static final Duration SEND_LIMIT = Duration.ofSeconds(5);

    private static final Duration LAST_WORD_LIMIT = Duration.ofMillis(300);
    private static final int MAX_HEADER_BYTES = 256 << 10;
    private static final int MAX_WINDOW_BYTES = Integer.MAX_VALUE;
    private static final int UPDATE_BYTES = 1 << 20;

    private final StampedSocket socket;
    private final DefaultHttp2HeadersDecoder decoder =
            new DefaultHttp2HeadersDecoder(false, MAX_HEADER_BYTES);
    private final CountDownLatch greeted = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /// Held while a call begins: streams must begin in the order of their numbers.
    private final ReentrantLock beginning = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Condition widened = lock.newCondition();

    @GuardedBy("lock")
    private final Map<Integer, Call> calls = new HashMap<>();

    @GuardedBy("lock")
    private int nextStream = 1;

    @GuardedBy("lock")
    private long windowBytes = Frame.DEFAULT_WINDOW_BYTES;

    @GuardedBy("lock")
    private int initialWindowBytes = Frame.DEFAULT_WINDOW_BYTES;

    /// Why there will be no more answers.
    @GuardedBy("lock")
    private @Nullable Ending ending;

    // Used by the reading thread only.
    private @Nullable Ending goAway;
    private final ByteArrayOutputStream headerBlock = new ByteArrayOutputStream();
    private boolean headersEndStream;
    private int unacknowledgedBytes;

    private Http2Connection(StampedSocket socket) {
        this.socket = socket;
    }

    /// The server may send `streamWindowBytes` of each call before the client reads them.
    static Http2Connection open(InetSocketAddress from, InetSocketAddress to, int streamWindowBytes)
            throws IOException {
        var connection =
                new Http2Connection(StampedSocket.connect(from, to, SEND_LIMIT, Duration.ZERO));
        connection.raw(
                Frame.joined(
                        Frame.PREFACE,
                        Frame.settings(
                                Frame.SETTING_ENABLE_PUSH,
                                0,
                                Frame.SETTING_INITIAL_WINDOW,
                                streamWindowBytes),
                        Frame.ofInt(
                                Frame.WINDOW_UPDATE,
                                0,
                                MAX_WINDOW_BYTES - Frame.DEFAULT_WINDOW_BYTES)));
        // Started after the preface is sent: the reader answers the server's settings, which may
        // have arrived already.
        Thread.ofPlatform().daemon().name("reader").start(connection::readAll);
        try {
            if (!connection.greeted.await(GREETING_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                connection.close();
                throw new IOException("the server did not greet within " + GREETING_LIMIT);
            }
        } catch (InterruptedException e) {
            connection.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return connection;
    }

    /// Waits until the connection ends, or the limit has passed.
    void awaitEnding(Duration limit) throws InterruptedException {
        var _ = ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Why there will be no more answers; null while the connection is open.
    @Nullable Ending ending() {
        lock.lock();
        try {
            return ending;
        } finally {
            lock.unlock();
        }
    }

    /// Sends bytes unchanged. If the server has ended the connection, the exception contains the
    /// server's reason.
    void raw(byte[] frames) throws IOException {
        try {
            socket.send(frames);
        } catch (IOException e) {
            throw new Ask.RefusedException(lastWord(Ending.closed(String.valueOf(e.getMessage()))));
        }
    }

    /// The server's reason for ending the connection, if it arrives in time, and else `otherwise`.
    private Ending lastWord(Ending otherwise) {
        try {
            awaitEnding(LAST_WORD_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Ending said = ending();
        return said == null ? otherwise : said;
    }

    /// Begins a call with headers, and leaves it open.
    void begin(Call call, byte[] headers) throws IOException {
        beginning.lock();
        try {
            int stream = register(call, 0);
            raw(Frame.of(Frame.HEADERS, Frame.END_HEADERS, stream, headers));
        } finally {
            beginning.unlock();
        }
    }

    /// Begins several calls in one write.
    void beginAll(List<? extends Call> some, byte[] headers) throws IOException {
        beginning.lock();
        try {
            var frames = new ByteArrayOutputStream();
            for (Call call : some) {
                int stream = register(call, 0);
                frames.writeBytes(Frame.of(Frame.HEADERS, Frame.END_HEADERS, stream, headers));
            }
            raw(frames.toByteArray());
        } finally {
            beginning.unlock();
        }
    }

    /// Sends a whole request in one piece. The request must be small.
    void ask(Call call, byte[] headers, byte[] message) throws IOException {
        beginning.lock();
        try {
            int stream = register(call, message.length);
            raw(
                    Frame.joined(
                            Frame.of(Frame.HEADERS, Frame.END_HEADERS, stream, headers),
                            Frame.of(Frame.DATA, Frame.END_STREAM, stream, message)));
        } finally {
            beginning.unlock();
        }
    }

    private int register(Call call, int bytes) throws IOException {
        lock.lock();
        try {
            checkOpen();
            int stream = nextStream;
            nextStream += 2;
            call.begin(stream, initialWindowBytes - bytes);
            windowBytes -= bytes;
            calls.put(stream, call);
            return stream;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void checkOpen() throws IOException {
        Ending ended = ending;
        if (ended != null) {
            throw new IOException(ended.status() + ": " + ended.message());
        }
    }

    /// Sends data of a call as fast as the server's windows allow. It stops when the call has
    /// ended.
    void send(Call call, byte[] data, boolean end) throws IOException, InterruptedException {
        int sent = 0;
        while (sent < data.length) {
            int count = takeWindow(call, data.length - sent);
            if (count == 0) {
                return;
            }
            boolean last = end && sent + count == data.length;
            raw(
                    Frame.of(
                            Frame.DATA,
                            last ? Frame.END_STREAM : 0,
                            call.stream(),
                            Arrays.copyOfRange(data, sent, sent + count)));
            sent += count;
        }
    }

    /// Returns 0 when the call has ended.
    private int takeWindow(Call call, int wanted) throws InterruptedException {
        lock.lock();
        try {
            while (calls.containsKey(call.stream())) {
                long allowed = Math.min(windowBytes, call.windowBytes());
                if (allowed > 0) {
                    int taken = (int) Math.min(allowed, Math.min(wanted, Frame.MAX_PAYLOAD_BYTES));
                    windowBytes -= taken;
                    call.widen(-taken);
                    return taken;
                }
                widened.await();
            }
            return 0;
        } finally {
            lock.unlock();
        }
    }

    private void readAll() {
        String why = "the server closed it without a word";
        try (socket) {
            byte[] unread = new byte[0];
            for (byte[] read = socket.read(); read.length > 0; read = socket.read()) {
                unread = unread.length == 0 ? read : Frame.joined(unread, read);
                unread = frames(unread);
            }
        } catch (IOException | Http2Exception e) {
            why = String.valueOf(e.getMessage());
        }
        Ending said = goAway;
        endAll(said == null ? Ending.closed(why) : said);
        greeted.countDown();
        ended.countDown();
    }

    private void endAll(Ending how) {
        List<Call> left;
        lock.lock();
        try {
            ending = how;
            left = List.copyOf(calls.values());
            calls.clear();
            widened.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.ended(how, StampedSocket.wallNanos()));
    }

    /// Handles the whole frames, and returns the bytes after them.
    private byte[] frames(byte[] bytes) throws IOException, Http2Exception {
        int from = 0;
        while (bytes.length - from >= Frame.HEAD_BYTES) {
            int length = Frame.intAt(bytes, from) >>> 8;
            int to = from + Frame.HEAD_BYTES + length;
            if (to > bytes.length) {
                break;
            }
            byte[] payload = Arrays.copyOfRange(bytes, from + Frame.HEAD_BYTES, to);
            frame(bytes[from + 3], bytes[from + 4], Frame.intAt(bytes, from + 5), payload);
            from = to;
        }
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    private void frame(int type, int flags, int stream, byte[] payload)
            throws IOException, Http2Exception {
        switch (type) {
            case Frame.DATA -> data(flags, stream, payload);
            case Frame.HEADERS, Frame.CONTINUATION -> {
                headersEndStream |= type == Frame.HEADERS && (flags & Frame.END_STREAM) != 0;
                headerBlock.writeBytes(payload);
                if ((flags & Frame.END_HEADERS) != 0) {
                    headers(stream);
                }
            }
            case Frame.RST_STREAM -> end(stream, Ending.ofReset(Frame.intAt(payload, 0)));
            case Frame.SETTINGS -> {
                if ((flags & Frame.ACK) == 0) {
                    settings(payload);
                    raw(Frame.of(Frame.SETTINGS, Frame.ACK, 0));
                    greeted.countDown();
                }
            }
            case Frame.PING -> {
                if ((flags & Frame.ACK) == 0) {
                    raw(Frame.of(Frame.PING, Frame.ACK, 0, payload));
                }
            }
            case Frame.GOAWAY -> {
                int debug = 2 * Integer.BYTES;
                String text =
                        new String(payload, debug, payload.length - debug, StandardCharsets.UTF_8);
                goAway = Ending.ofGoAway(Frame.intAt(payload, Integer.BYTES), text);
            }
            case Frame.WINDOW_UPDATE -> widen(stream, Frame.intAt(payload, 0));
            default -> {
                // Other frames do not matter to a client.
            }
        }
    }

    private void data(int flags, int stream, byte[] payload) throws IOException {
        unacknowledgedBytes += payload.length;
        if (unacknowledgedBytes >= UPDATE_BYTES) {
            raw(Frame.ofInt(Frame.WINDOW_UPDATE, 0, unacknowledgedBytes));
            unacknowledgedBytes = 0;
        }
        Call call = find(stream);
        if (call == null) {
            return;
        }
        if (call.isRead() && payload.length > 0) {
            raw(Frame.ofInt(Frame.WINDOW_UPDATE, stream, payload.length));
        }
        call.data(payload, socket.arrivedNanos());
        if ((flags & Frame.END_STREAM) != 0) {
            end(stream, Ending.closed("the answer ended without a status"));
        }
    }

    private void headers(int stream) throws Http2Exception {
        Http2Headers headers =
                decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(headerBlock.toByteArray()));
        headerBlock.reset();
        boolean end = headersEndStream;
        headersEndStream = false;
        if (end) {
            end(stream, ending(headers));
        }
    }

    private static Ending ending(Http2Headers trailers) {
        CharSequence status = trailers.get("grpc-status");
        if (status == null) {
            return new Ending("HTTP " + trailers.status(), "");
        }
        int code = Integer.parseInt(status.toString());
        // Decodes percent signs. A plus sign stands for itself.
        String message = trailers.get("grpc-message", "").toString().replace("+", "%2B");
        return code == 0
                ? Ending.SUCCESS
                : Ending.ofGrpc(code, URLDecoder.decode(message, StandardCharsets.UTF_8));
    }

    private void settings(byte[] payload) {
        lock.lock();
        try {
            for (int at = 0; at + 6 <= payload.length; at += 6) {
                int value = Frame.intAt(payload, at + 2);
                if (payload[at + 1] == Frame.SETTING_INITIAL_WINDOW) {
                    int more = value - initialWindowBytes;
                    initialWindowBytes = value;
                    calls.values().forEach(call -> call.widen(more));
                }
            }
            widened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void widen(int stream, int bytes) {
        lock.lock();
        try {
            if (stream == 0) {
                windowBytes += bytes;
            } else if (calls.containsKey(stream)) {
                calls.get(stream).widen(bytes);
            }
            widened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Call find(int stream) {
        lock.lock();
        try {
            return calls.get(stream);
        } finally {
            lock.unlock();
        }
    }

    private void end(int stream, Ending how) {
        Call call;
        lock.lock();
        try {
            call = calls.remove(stream);
            widened.signalAll();
        } finally {
            lock.unlock();
        }
        if (call != null) {
            call.ended(how, socket.arrivedNanos());
        }
    }

    /// Ends the open calls.
    @Override
    public void close() {
        socket.shutdown();
    }
}
