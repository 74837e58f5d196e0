package io.cleave.rpc;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/// A call: one stream of a connection, as gRPC's services see it. Its listener is called on the
/// connection's thread. [#close] may call `onComplete` before it returns, and `onReady` is called
/// only when a call that was not ready has become so.
///
/// Threads: what a service calls may come from any thread, one at a time. Off the connection's
/// thread it becomes a task of that, and later ones wait for it; everything else is done there.
final class RpcCall<Q, R> extends ServerCall<Q, R> implements Sending.Events {
    private final Connection connection;
    private final int stream;
    static final Status APPLICATION_ERROR =
            Status.UNKNOWN.withDescription("Application error processing RPC");

    /// A message of so many bytes that comes with the end of its stream is not counted: its handler
    /// runs at once, and there are few of those at a time.
    private static final int FREE_BYTES = 4 << 10;

    /// Less of a message between two looks at it is too little.
    private static final int LEAST_PACE_BYTES = 16 << 10;

    private final ServerMethodDefinition<Q, R> method;
    private final RequestMarshaller<Q> marshaller;
    private final RequestHead head;
    private final MessageEncoding encoding;
    private final boolean isLong;
    private final MessageAssembly assembly;
    private final Sending sending;

    /// Tasks that the connection's thread has not come to.
    private final AtomicInteger tasks = new AtomicInteger();

    private volatile boolean cancelled;

    private @Nullable Listener<Q> listener;
    private int requested;
    private @Nullable ArrayDeque<Parsed<Q>> undelivered;

    /// Messages that are parsed by another thread, one after the other; the first is on its way.
    private @Nullable ArrayDeque<Parsing<Q>> unparsed;

    private boolean headersSent;
    private boolean delivering;
    private boolean clientEnded;
    private boolean endTold;
    private boolean ended;
    private long dataBytes;

    /// Whether the stream ends with the data that is being read.
    private boolean lastData;

    private int unacknowledgedBytes;

    /// What messages take that were parsed; given back when they are taken, or with the call if its
    /// handler keeps the only one.
    private long parsedBytes;

    /// Of the message that is not whole, when it was last looked at.
    private int paceBytes;

    private boolean slow;
    private @Nullable Runnable timeoutEnding;

    RpcCall(
            Connection connection,
            int stream,
            BoundMethod<Q, R> bound,
            RequestHead head,
            MessageEncoding encoding) {
        this.connection = connection;
        this.stream = stream;
        this.method = bound.definition();
        this.marshaller = bound.marshaller();
        this.isLong = bound.isLong();
        this.head = head;
        this.encoding = encoding;
        this.assembly = new MessageAssembly(maxMessageBytes(), connection);
        this.sending = 
                new Sending(
                        connection.outbox(),
                        connection.buffers(),
                        stream,
                        this,
                        connection.replies());
    }

    int stream() {
        return stream;
    }

    /// Whether it stays open for as long as the client likes, and is counted apart.
    boolean isLong() {
        return isLong;
    }

    @Nullable String timeout() {
        return head.timeout();
    }

    boolean isOpen() {
        return !ended && !cancelled;
    }

    /// To be run when the call ends, in whatever way.
    void onEnd(Runnable action) {
        timeoutEnding = action;
    }

    void start() {
        guarded(() -> listener = method.getServerCallHandler().startCall(this, head.metadata()));
    }

    /// Nothing follows the end of a stream.
    void checkMore() throws ProtocolException {
        if (clientEnded) {
            throw ProtocolException.ofStream(
                    Frames.STREAM_CLOSED, stream, "something after the end of a stream");
        }
    }

    /// A frame's data; `frameBytes` is what it has taken of the stream's window, and `end` whether
    /// the stream ends with it.
    void data(ByteBuf data, int frameBytes, boolean end) throws ProtocolException {
        checkMore();
        unacknowledgedBytes += frameBytes;
        if (unacknowledgedBytes > connection.limits().windowBytes()) {
            throw ProtocolException.ofStream(
                    Frames.FLOW_CONTROL_ERROR, stream, "more data than the stream's window");
        }
        dataBytes += data.readableBytes();
        if (head.contentLength() >= 0 && dataBytes > head.contentLength()) {
            throw wrongLength();
        }
        lastData = end;
        guarded(() -> assembly.add(data, this::message));
        acknowledge();
    }

    /// Lets the client send more, unless it waits for a service to take what there is.
    private void acknowledge() {
        if (isOpen()
                && undelivered == null
                && unparsed == null
                && unacknowledgedBytes >= connection.limits().windowBytes() / 2) {
            connection.outbox().windowUpdate(stream, unacknowledgedBytes);
            unacknowledgedBytes = 0;
        }
    }

    /// Gives up a message that hardly grew since this was last called, and the time before.
    void checkPace() {
        boolean waits = assembly.isWithinMessage() && undelivered == null && unparsed == null;
        int bytes = assembly.bodyBytes();
        boolean grew = bytes < paceBytes || bytes - paceBytes >= LEAST_PACE_BYTES;
        paceBytes = bytes;
        if (!waits || grew) {
            slow = false;
        } else if (!slow) {
            slow = true;
        } else {
            close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "A message came too slowly: %d bytes are there, and less than %d came in time"
                                    .formatted(bytes, LEAST_PACE_BYTES)),
                    new Metadata());
        }
    }

    private void message(byte[] bytes, boolean packed, int heldBytes) {
        connection.handOver(heldBytes);
        if (!isOpen()) {
            memory().give(heldBytes);
        } else if (packed || bytes.length > RequestMemory.SMALL_BYTES || unparsed != null) {
            parseElsewhere(bytes, packed, heldBytes);
        } else {
            parseHere(bytes, heldBytes);
        }
    }

    private void parseHere(byte[] bytes, int heldBytes) {
        long needed = 0;
        try {
            if (!lastData || bytes.length > FREE_BYTES) {
                needed = marshaller.parsedBytes(bytes);
                memory().take(needed, false);
                parsedBytes += needed;
            }
            deliver(marshaller.parse(bytes), needed);
        } finally {
            memory().give(heldBytes);
        }
    }

    private void parseElsewhere(byte[] bytes, boolean packed, int heldBytes) {
        int held = heldBytes;
        int unpackedBytes = Parsing.NOT_PACKED;
        try {
            if (packed) {
                unpackedBytes = encoding.unpackedBytes(bytes, maxMessageBytes());
            }
        } catch (StatusRuntimeException refused) {
            memory().give(held);
            throw refused;
        }
        if (held == 0) {
            memory().take(bytes.length, bytes.length > RequestMemory.SMALL_BYTES);
            held = bytes.length;
        }
        var parsing = new Parsing<>(this, bytes, unpackedBytes, held);
        if (unparsed == null) {
            unparsed = new ArrayDeque<>();
            submit(parsing);
        }
        unparsed.add(parsing);
    }

    private void submit(Parsing<Q> parsing) {
        if (!connection.parsing().submit(parsing)) {
            parsing.discard();
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "Large or packed requests that wait to be parsed are too many, the limit is "
                                    + ParsingThreads.MAX_WAITING)
                    .asRuntimeException();
        }
    }

    /// The first message of those on another thread is parsed, or has failed. Called there.
    void parsedElsewhere(Parsing<Q> done) {
        connection.later(() -> guarded(() -> takeParsed(done)));
    }

    private void takeParsed(Parsing<Q> done) {
        Q parsed = done.parsed();
        ArrayDeque<Parsing<Q>> others = unparsed;
        if (others == null || !isOpen()) {
            memory().give(done.parsedBytes());
            return;
        }
        others.remove();
        parsedBytes += done.parsedBytes();
        Parsing<Q> next = others.peek();
        if (next == null) {
            unparsed = null;
        }
        Status failure = done.failure();
        if (failure != null || parsed == null) {
            close(failure == null ? APPLICATION_ERROR : failure, new Metadata());
            return;
        }
        if (next != null) {
            submit(next);
        }
        deliver(parsed, done.parsedBytes());
        deliver();
        acknowledge();
    }

    /// A message that was parsed, and what it takes.
    private record Parsed<Q>(Q message, long bytes) {}

    private void deliver(Q message, long bytes) {
        Listener<Q> to = listener;
        if (requested > 0 && undelivered == null && to != null) {
            requested--;
            to.onMessage(message);
            taken(bytes);
            return;
        }
        if (undelivered == null) {
            undelivered = new ArrayDeque<>();
        }
        undelivered.add(new Parsed<>(message, bytes));
    }

    /// A handler that gets one message keeps it until it has answered.
    private void taken(long bytes) {
        if (bytes > 0 && !method.getMethodDescriptor().getType().clientSendsOneMessage()) {
            giveParsed(bytes);
        }
    }

    private void giveParsed(long bytes) {
        // Its end has given everything back.
        if (isOpen()) {
            parsedBytes -= bytes;
            memory().give(bytes);
        }
    }

    RequestMemory memory() {
        return connection.memory();
    }

    RequestMarshaller<Q> marshaller() {
        return marshaller;
    }

    MessageEncoding encoding() {
        return encoding;
    }

    int maxMessageBytes() {
        return connection.limits().maxMessageBytes();
    }

    void report(Throwable thrown) {
        connection.report(thrown);
    }

    /// The client has sent all.
    void halfClose() throws ProtocolException {
        clientEnded = true;
        if (head.contentLength() >= 0 && dataBytes != head.contentLength()) {
            throw wrongLength();
        }
        if (!isOpen()) {
            return;
        }
        if (assembly.isWithinMessage()) {
            close(
                    Status.INTERNAL.withDescription("Encountered end-of-stream mid-frame"),
                    new Metadata());
            return;
        }
        deliver();
    }

    private ProtocolException wrongLength() {
        return ProtocolException.ofStream(
                Frames.PROTOCOL_ERROR, stream, "content-length is not the length of the data");
    }

    /// A service that asks for more while it takes a message gets it afterwards.
    private void deliver() {
        if (delivering) {
            return;
        }
        delivering = true;
        guarded(this::deliverWaiting);
        delivering = false;
    }

    private void deliverWaiting() {
        Listener<Q> to = listener;
        while (to != null && undelivered != null && requested > 0 && isOpen()) {
            Parsed<Q> next = undelivered.poll();
            if (next == null) {
                undelivered = null;
            } else {
                requested--;
                to.onMessage(next.message());
                taken(next.bytes());
            }
        }
        boolean delivered = undelivered == null && unparsed == null;
        if (to != null && delivered && clientEnded && !endTold && isOpen()) {
            endTold = true;
            to.onHalfClose();
        }
    }

    void widen(int bytes) throws ProtocolException {
        sending.widen(bytes);
    }

    /// The client does not want it any more, or is gone, or its time is over.
    void cancel() {
        if (!isOpen()) {
            return;
        }
        cancelled = true;
        release();
        Listener<Q> to = listener;
        if (to != null) {
            guarded(to::onCancel);
        }
    }

    /// A service that throws has its call closed.
    @SuppressWarnings("CatchThrowable") // the connection serves other calls, too
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (StatusRuntimeException refused) {
            close(refused.getStatus(), new Metadata());
        } catch (Throwable thrown) {
            connection.report(thrown);
            close(APPLICATION_ERROR, new Metadata());
        }
    }

    static Status tooLarge(int maxBytes) {
        return Status.RESOURCE_EXHAUSTED.withDescription(
                "Decompressed gRPC message exceeds maximum size " + maxBytes);
    }

    static Status tooLarge(int maxBytes, long bytes) {
        return Status.RESOURCE_EXHAUSTED.withDescription(
                "gRPC message exceeds maximum size %d: %d".formatted(maxBytes, bytes));
    }

    @Override
    public void request(int count) {
        if (!connection.isOnThread()) {
            later(() -> request(count));
            return;
        }
        requested = (int) Math.min(Integer.MAX_VALUE, requested + (long) count);
        if (undelivered != null) {
            deliver();
            acknowledge();
        }
    }

    @Override
    public void sendHeaders(Metadata headers) {
        if (isDirect()) {
            writeHeaders(headers);
        } else {
            later(() -> writeHeaders(headers));
        }
    }

    @Override
    public void sendMessage(R message) {
        InputStream bytes = method.getMethodDescriptor().streamResponse(message);
        if (isDirect()) {
            writeMessage(bytes);
            return;
        }
        ByteBuf packed = sending.announce(bytes);
        later(() -> sending.announced(packed));
    }

    @Override
    public void close(Status status, Metadata responseTrailers) {
        if (isDirect()) {
            writeEnd(status, responseTrailers);
        } else {
            later(() -> writeEnd(status, responseTrailers));
        }
    }

    @Override
    public boolean isReady() {
        return !cancelled && sending.isReady();
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
        return method.getMethodDescriptor();
    }

    @Override
    public Attributes getAttributes() {
        return connection.attributes();
    }

    @Override
    public @Nullable String getAuthority() {
        return head.authority();
    }

    private boolean isDirect() {
        return connection.isOnThread() && tasks.get() == 0;
    }

    private void later(Runnable task) {
        tasks.incrementAndGet();
        connection.later(
                () -> {
                    tasks.decrementAndGet();
                    task.run();
                });
    }

    private void writeHeaders(Metadata headers) {
        if (isOpen()) {
            headersSent = true;
            sending.headers(HeaderBlocks.response(headers));
        }
    }

    private void writeMessage(InputStream message) {
        if (isOpen()) {
            sending.message(message);
        }
    }

    private void writeEnd(Status status, Metadata trailers) {
        if (isOpen()) {
            sending.end(
                    headersSent
                            ? HeaderBlocks.trailers(status, trailers)
                            : HeaderBlocks.only(status, trailers));
        }
    }

    @Override
    public void leavesTooMuch(String why) {
        connection.endSoon(why);
    }

    @Override
    public void becameReady() {
        Listener<Q> to = listener;
        if (to != null && isOpen()) {
            guarded(to::onReady);
        }
    }

    @Override
    public void ended() {
        if (!clientEnded) {
            connection.endEarly(stream);
        }
        release();
        Listener<Q> to = listener;
        if (to != null) {
            guarded(to::onComplete);
        }
    }

    private void release() {
        ended = true;
        sending.discard();
        connection.forget(this);
        assembly.discard();
        memory().give(parsedBytes);
        parsedBytes = 0;
        undelivered = null;
        if (unparsed != null) {
            // The first is with another thread, which gives back what it has.
            unparsed.remove();
            unparsed.forEach(Parsing::discard);
            unparsed = null;
        }
        Runnable ending = timeoutEnding;
        if (ending != null) {
            ending.run();
        }
    }
}
