package io.cleave.rpc;

import io.cleave.memory.MemoryPool;
import io.cleave.net.PeerAddress;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.util.collection.IntObjectHashMap;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// One connection: its calls, and the parts of HTTP/2 that concern the connection as a whole.
/// [FrameReader] calls it with the frames that arrive; [Outbox] sends the frames that leave.
///
/// Threads: only the channel's. Exceptions are [#later], [#isOnThread], the methods that say so,
/// and getters of what never changes.
final class Connection {
    /// The announced limit of streams rises in steps of this size as long calls open. It falls in
    /// steps of twice this size as they end.
    private static final int ANNOUNCED_STEP = 64;

    /// Headers that decode to more than this many times the limit are an attack and end the
    /// connection.
    private static final int BOMB_FACTOR = 16;

    /// How long a peer has to read why its connection ends.
    private static final long LAST_WORDS_NANOS = Duration.ofSeconds(2).toNanos();

    /// How often unread bytes are counted again.
    private static final long RECOUNT_NANOS = Duration.ofSeconds(1).toNanos();

    private final RpcServer server;
    private final ChannelHandlerContext context;
    private final Attributes attributes;
    private final Outbox outbox;
    private final Pings pings;
    private final HeaderDecoder decoder;
    private final FrameCounts counts;
    private final ArrivingMessages arriving;
    private final OpenCallMemory openCalls;
    private final EarlyEnds earlyEnds = new EarlyEnds();
    private final IntObjectHashMap<RpcCall<?, ?>> calls = new IntObjectHashMap<>();

    /// Calls with a time limit that arrived since the channel was last read.
    private final ArrayDeque<RpcCall<?, ?>> timed = new ArrayDeque<>();

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /// Open calls of long methods, such as attached sessions.
    private int longCalls;

    /// The limit of open streams that the peer was told last.
    private int maxStreams;

    private int lastStream;
    private int unacknowledgedBytes;
    private boolean leaving;

    /// The peer was told why the connection ends. Nothing that it sends is read any more.
    private boolean ending;

    /// Whether the next count of unread bytes is scheduled.
    private boolean recounting;

    private @Nullable Future<?> watch;

    Connection(RpcServer server, ChannelHandlerContext context) {
        this.server = server;
        this.context = context;
        this.attributes =
                Attributes.newBuilder()
                        .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, context.channel().remoteAddress())
                        .set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, context.channel().localAddress())
                        .set(ConnectionSlot.KEY, new ConnectionSlot())
                        .build();
        this.outbox = new Outbox(context, server.replies());
        this.pings = new Pings(server.env(), server.limits(), outbox);
        this.decoder = new HeaderDecoder(server.limits().maxHeaderBytes());
        this.counts = new FrameCounts(server.env(), server.limits().rates());
        this.arriving = new ArrivingMessages(server.memory());
        this.openCalls = new OpenCallMemory(server.memory());
        this.maxStreams = server.limits().maxCalls();
    }

    Limits limits() {
        return server.limits();
    }

    FrameCounts counts() {
        return counts;
    }

    Outbox outbox() {
        return outbox;
    }

    ByteBufAllocator buffers() {
        return context.alloc();
    }

    Attributes attributes() {
        return attributes;
    }

    boolean isOnThread() {
        return context.channel().eventLoop().inEventLoop();
    }

    /// The key by which connections of one client are counted.
    Object peer() {
        return PeerAddress.of(context.channel().remoteAddress());
    }

    /// Called by other threads; the answer may be slightly out of date.
    boolean hasNoCalls() {
        return calls.isEmpty();
    }

    /// Called by other threads; the answer may be slightly out of date.
    boolean neverCalled() {
        return lastStream == 0;
    }

    /// How many liveness checks have passed since the last frame. Called by other threads; the
    /// answer may be slightly out of date.
    int silentLooks() {
        return pings.silentLooks();
    }

    void report(Throwable thrown) {
        server.report(thrown);
    }

    /// Runs a task on the connection's thread, in the order of the calls. Any thread may call this.
    void later(Runnable task) {
        tasks.add(task);
        if (!scheduled.getAndSet(true)) {
            try {
                context.channel().eventLoop().execute(this::runTasks);
            } catch (RejectedExecutionException stopped) {
                // The server has stopped, and every call has ended with it.
            }
        }
    }

    private void runTasks() {
        scheduled.set(false);
        try {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            flush();
        } catch (RuntimeException thrown) {
            // It is unknown how much of an answer was written. The peer must not take it for a
            // whole one.
            report(thrown);
            closeNow();
        }
    }

    /// Sends the server's first frames and schedules the liveness checks.
    void begin() {
        int window = limits().windowBytes();
        outbox.settings(
                Frames.SETTING_MAX_STREAMS,
                maxStreams,
                Frames.SETTING_INITIAL_WINDOW,
                window,
                Frames.SETTING_MAX_HEADERS,
                limits().maxHeaderBytes());
        outbox.windowUpdate(0, window - Frames.DEFAULT_WINDOW_BYTES);
        flush();
        long interval = pings.lookInterval().toMillis();
        watch =
                context.channel()
                        .eventLoop()
                        .scheduleWithFixedDelay(
                                this::lookAlive, interval, interval, TimeUnit.MILLISECONDS);
    }

    /// The liveness check: pings a silent client, and closes the connection if there is no answer.
    /// Refuses messages that have stopped arriving.
    private void lookAlive() {
        if (!context.channel().isActive()) {
            return;
        }
        for (RpcCall<?, ?> call : List.copyOf(calls.values())) {
            call.receiving().checkPace();
        }
        boolean asked = pings.askIfSilent();
        flush();
        if (!asked) {
            return;
        }
        var _ = after(limits().pingTimeout().toNanos(), this::closeIfUnanswered);
    }

    private void closeIfUnanswered() {
        if (pings.isUnanswered()) {
            closeNow();
        }
    }

    /// Runs a task on the connection's thread after this time.
    private Future<?> after(long nanos, Runnable task) {
        return context.channel().eventLoop().schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /// A whole frame has arrived, so the peer is alive. Single bytes do not count, because a frame
    /// could take for ever.
    void heard() {
        pings.heard();
    }

    /// Everything that was available has been read.
    void readComplete() {
        for (RpcCall<?, ?> call = timed.poll(); call != null; call = timed.poll()) {
            limitTime(call);
        }
        flush();
    }

    private void limitTime(RpcCall<?, ?> call) {
        String timeout = call.timeout();
        if (!call.isOpen() || timeout == null) {
            return;
        }
        long nanos = Timeouts.nanos(timeout);
        if (nanos == Timeouts.NEVER) {
            return;
        }
        Future<?> ending = after(nanos, () -> timeOut(call));
        call.onEnd(() -> ending.cancel(false));
    }

    private void timeOut(RpcCall<?, ?> call) {
        if (call.isOpen()) {
            outbox.reset(call.stream(), Frames.CANCEL);
            call.cancel();
            flush();
        }
    }

    void flush() {
        if (ending) {
            return;
        }
        try {
            outbox.drain();
        } catch (ProtocolException failure) {
            failed(failure);
            return;
        }
        if (!outbox.flush()) {
            closeNow();
        } else if (outbox.hasUnread() && !recounting) {
            recounting = true;
            var _ = after(RECOUNT_NANOS, this::recount);
        }
    }

    /// Nothing reports what the peer has read meanwhile, so it is counted again.
    private void recount() {
        recounting = false;
        if (context.channel().isActive()) {
            flush();
        }
    }

    /// The connection is gone: cancels its calls and releases its memory.
    void closed() {
        for (RpcCall<?, ?> call : List.copyOf(calls.values())) {
            call.cancel();
        }
        outbox.discard();
        if (watch != null) {
            watch.cancel(false);
        }
    }

    /// The memory of replies that wait for their clients.
    MemoryPool replies() {
        return server.replies();
    }

    RequestMemory memory() {
        return server.memory();
    }

    ParsingThreads parsing() {
        return server.parsing();
    }

    ArrivingMessages arriving() {
        return arriving;
    }

    void headers(int stream, ByteBuf block, boolean end) throws ProtocolException {
        var head = new RequestHead(limits().maxHeaderBytes());
        decoder.decode(block, head);
        counts.add(FrameRates.Kind.HEADER_BLOCKS);
        counts.add(FrameRates.Kind.HEADER_BYTES, head.bytes());
        ProtocolException.check(
                head.bytes() <= (long) BOMB_FACTOR * limits().maxHeaderBytes(),
                Frames.ENHANCE_YOUR_CALM,
                "headers that unpack to far more than a request may have");
        RpcCall<?, ?> known = calls.get(stream);
        if (known != null) {
            trailers(known, head, end);
            return;
        }
        if (earlyEnds.contains(stream)) {
            return;
        }
        ProtocolException.check(
                (stream & 1) == 1, Frames.PROTOCOL_ERROR, "a client's stream has an odd number");
        ProtocolException.check(
                stream > lastStream, Frames.STREAM_CLOSED, "headers of a stream that was closed");
        lastStream = stream;
        if (leaving || calls.size() >= maxStreams) {
            throw ProtocolException.ofStream(Frames.REFUSED_STREAM, stream, "no more calls");
        }
        String malformed = head.malformed(end);
        if (malformed != null) {
            throw ProtocolException.ofStream(Frames.PROTOCOL_ERROR, stream, malformed);
        }
        open(stream, head, end);
    }

    private static void trailers(RpcCall<?, ?> call, RequestHead head, boolean end)
            throws ProtocolException {
        call.receiving().checkMore();
        String malformed = end ? head.malformedTrailers() : "headers twice";
        if (malformed != null) {
            throw ProtocolException.ofStream(Frames.PROTOCOL_ERROR, call.stream(), malformed);
        }
        call.receiving().halfClose();
    }

    private void open(int stream, RequestHead head, boolean end) throws ProtocolException {
        byte[] refusal = Refusals.of(head, limits().maxHeaderBytes());
        if (refusal != null) {
            finish(stream, end, refusal);
            return;
        }
        BoundMethod<?, ?> method = server.method(head.path());
        if (method == null) {
            finish(stream, end, Refusals.unknownMethod(head));
            return;
        }
        MessageEncoding encoding = MessageEncoding.of(head.encoding());
        if (encoding == null) {
            finish(stream, end, Refusals.unknownEncoding(head));
            return;
        }
        if (method.isLong() && longCalls >= limits().maxLongCalls()) {
            throw ProtocolException.ofStream(Frames.REFUSED_STREAM, stream, "no more long calls");
        }
        try {
            openCalls.take(head);
        } catch (StatusRuntimeException refused) {
            finish(stream, end, Refusals.of(refused.getStatus()));
            return;
        }
        start(new RpcCall<>(this, stream, method, head, encoding), end);
    }

    private void start(RpcCall<?, ?> call, boolean end) throws ProtocolException {
        calls.put(call.stream(), call);
        if (call.isLong()) {
            longCalls++;
            announceStreams();
        }
        if (call.timeout() != null) {
            timed.add(call);
        }
        call.start();
        if (end) {
            call.receiving().halfClose();
        }
    }

    /// Long calls do not use up the limit of other calls: the stream limit rises and falls with
    /// their number.
    private void announceStreams() {
        int streams = limits().maxCalls() + longCalls;
        boolean more = streams - maxStreams >= ANNOUNCED_STEP;
        boolean fewer = maxStreams - streams >= 2 * ANNOUNCED_STEP || longCalls == 0;
        if (!ending && (more || (fewer && maxStreams != streams))) {
            maxStreams = streams;
            outbox.settings(Frames.SETTING_MAX_STREAMS, maxStreams);
        }
    }

    /// Answers a call that is not started.
    private void finish(int stream, boolean end, byte[] block) {
        outbox.headers(stream, block, true);
        if (!end) {
            endEarly(stream);
        }
    }

    /// Resets a stream that was answered before the client had sent everything. What the client
    /// still sends on it is ignored.
    void endEarly(int stream) {
        outbox.reset(stream, Frames.NO_ERROR);
        earlyEnds.add(stream);
    }

    /// A DATA frame; `frameBytes` includes its padding.
    void data(int stream, ByteBuf data, int frameBytes, boolean end) throws ProtocolException {
        // The connection's window is always refilled: the windows of the streams hold a client
        // back.
        unacknowledgedBytes += frameBytes;
        if (unacknowledgedBytes >= limits().windowBytes() / 2) {
            outbox.windowUpdate(0, unacknowledgedBytes);
            unacknowledgedBytes = 0;
        }
        RpcCall<?, ?> call = calls.get(stream);
        if (call == null) {
            if (earlyEnds.contains(stream)) {
                return;
            }
            checkNotIdle(stream);
            throw ProtocolException.ofStream(Frames.STREAM_CLOSED, stream, "no such call");
        }
        call.receiving().data(data, frameBytes, end);
        if (end) {
            call.receiving().halfClose();
        }
    }

    void reset(int stream) throws ProtocolException {
        RpcCall<?, ?> call = calls.get(stream);
        if (call == null) {
            checkNotIdle(stream);
            earlyEnds.remove(stream);
        } else {
            call.cancel();
        }
    }

    void windowUpdate(int stream, int bytes) throws ProtocolException {
        if (stream == 0) {
            outbox.widen(bytes);
            return;
        }
        RpcCall<?, ?> call = calls.get(stream);
        if (call == null) {
            checkNotIdle(stream);
        } else {
            call.widen(bytes);
        }
    }

    void checkNotIdle(int stream) throws ProtocolException {
        ProtocolException.check(
                stream <= lastStream && (stream & 1) == 1,
                Frames.PROTOCOL_ERROR,
                "a stream that was never opened");
    }

    void ping(long content) throws ProtocolException {
        pings.answer(content);
    }

    /// Answers an error of the peer: ends one call, or the connection.
    void failed(ProtocolException failure) {
        if (failure.endsConnection()) {
            end(failure);
            return;
        }
        try {
            // Not counted after a GOAWAY: clients that have not read it yet go on opening calls.
            if (!leaving) {
                counts.add(FrameRates.Kind.FORCED_RESETS);
            }
        } catch (ProtocolException tooOften) {
            end(tooOften);
            return;
        }
        outbox.reset(failure.stream(), failure.code());
        RpcCall<?, ?> call = calls.get(failure.stream());
        if (call != null) {
            call.cancel();
        }
    }

    /// Ends a connection that exceeds the limit.
    void refuse(String why) {
        if (server.isCrowded()) {
            closeNow();
        } else {
            end(ProtocolException.ofConnection(Frames.ENHANCE_YOUR_CALM, why));
        }
    }

    /// Ends a connection without calls, because another one needs its place. Any thread may call
    /// this.
    void makeRoom() {
        later(
                () -> {
                    leave("another connection needs the place of this one, which has no calls");
                    closeSoon();
                });
    }

    private void closeSoon() {
        var _ =
                after(
                        LAST_WORDS_NANOS,
                        () -> {
                            if (calls.isEmpty()) {
                                closeNow();
                            }
                        });
    }

    /// Ends the connection after the current task.
    void endSoon(String why) {
        later(() -> end(ProtocolException.ofConnection(Frames.ENHANCE_YOUR_CALM, why)));
    }

    private void end(ProtocolException failure) {
        if (ending) {
            return;
        }
        ending = true;
        outbox.goAway(lastStream, failure.code(), String.valueOf(failure.getMessage()));
        // Closing now would discard what the peer has not read yet.
        context.channel().config().setAutoRead(false);
        outbox.endWhenSent();
        closed();
        var _ = after(LAST_WORDS_NANOS, this::closeNow);
    }

    boolean isEnding() {
        return ending;
    }

    void forget(RpcCall<?, ?> call) {
        calls.remove(call.stream());
        openCalls.give(call.head());
        if (call.isLong()) {
            longCalls--;
            announceStreams();
        }
        closeIfDone();
    }

    /// Takes no more calls, and closes once the open ones have ended.
    void leave() {
        leave("the server is stopping");
    }

    private void leave(String why) {
        if (!leaving && !ending) {
            leaving = true;
            outbox.goAway(lastStream, Frames.NO_ERROR, why);
            flush();
            closeIfDone();
        }
    }

    private void closeIfDone() {
        if (leaving && calls.isEmpty()) {
            // What is being written now is sent before the close.
            later(outbox::closeWhenSent);
        }
    }

    /// Any thread may call this.
    void closeNow() {
        var _ = context.close();
    }
}
