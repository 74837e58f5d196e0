package io.cleave.rpc;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

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
    private final ServerMethodDefinition<Q, R> method;
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
    private @Nullable ArrayDeque<Q> undelivered;
    private boolean headersSent;
    private boolean delivering;
    private boolean clientEnded;
    private boolean endTold;
    private boolean ended;
    private long dataBytes;
    private int unacknowledgedBytes;
    private int heldBytes;
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
        this.isLong = bound.isLong();
        this.head = head;
        this.encoding = encoding;
        this.assembly = new MessageAssembly(connection.limits().maxMessageBytes());
        this.sending = new Sending(connection.outbox(), connection.buffers(), stream, this);
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

    /// A frame's data; `frameBytes` is what it has taken of the stream's window.
    void data(ByteBuf data, int frameBytes) throws ProtocolException {
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
        guarded(() -> assembly.add(data, this::message));
        if (isOpen() && !hold(assembly.heldBytes())) {
            close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "Too many large messages at once on one connection"),
                    new Metadata());
        }
        acknowledge();
    }

    /// Tells the connection how much memory this call's next message takes; false if all take too
    /// much.
    @CanIgnoreReturnValue
    private boolean hold(int bytes) {
        int more = bytes - heldBytes;
        heldBytes = bytes;
        return connection.hold(more);
    }

    /// Lets the client send more, unless it waits for a service to take what there is.
    private void acknowledge() {
        if (isOpen()
                && undelivered == null
                && unacknowledgedBytes >= connection.limits().windowBytes() / 2) {
            connection.outbox().windowUpdate(stream, unacknowledgedBytes);
            unacknowledgedBytes = 0;
        }
    }

    private void message(byte[] bytes, boolean packed) {
        byte[] message =
                packed ? encoding.unpack(bytes, connection.limits().maxMessageBytes()) : bytes;
        if (!isOpen()) {
            return;
        }
        Q parsed = method.getMethodDescriptor().parseRequest(new MessageStream(message));
        Listener<Q> to = listener;
        if (requested > 0 && undelivered == null && to != null) {
            requested--;
            to.onMessage(parsed);
            return;
        }
        if (undelivered == null) {
            undelivered = new ArrayDeque<>();
        }
        undelivered.add(parsed);
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
            Q next = undelivered.poll();
            if (next == null) {
                undelivered = null;
            } else {
                requested--;
                to.onMessage(next);
            }
        }
        if (to != null && undelivered == null && clientEnded && !endTold && isOpen()) {
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
            close(
                    Status.UNKNOWN.withDescription("Application error processing RPC"),
                    new Metadata());
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
        hold(0);
        Runnable ending = timeoutEnding;
        if (ending != null) {
            ending.run();
        }
    }
}
