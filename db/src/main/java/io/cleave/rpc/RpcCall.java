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
import java.util.concurrent.atomic.AtomicInteger;

/// A call: one stream of a connection, as gRPC's services see it. Its listener is called on the
/// connection's thread. [#close] may call `onComplete` before it returns. `onReady` is called only
/// when a call that was not ready becomes ready.
///
/// Threads: a service may use any thread, but only one at a time. A call from another thread
/// becomes a task of the connection's thread, and later calls wait for that task. Everything else
/// happens on the connection's thread.
final class RpcCall<Q, R> extends ServerCall<Q, R> implements Receiving.Events<Q>, Sending.Events {
    private final Connection connection;
    private final int stream;
    private final ServerMethodDefinition<Q, R> method;
    private final RequestHead head;
    private final boolean isLong;
    private final Receiving<Q> receiving;
    private final Sending sending;

    /// Tasks that the connection's thread has not run yet.
    private final AtomicInteger tasks = new AtomicInteger();

    private volatile boolean cancelled;

    private @Nullable Listener<Q> listener;
    private boolean headersSent;
    private boolean ended;
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
        this.receiving = new Receiving<>(connection, stream, bound, head, encoding, this);
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

    /// Whether the call stays open for as long as the client wants, and has its own limit.
    boolean isLong() {
        return isLong;
    }

    RequestHead head() {
        return head;
    }

    @Nullable String timeout() {
        return head.timeout();
    }

    @Override
    public boolean isOpen() {
        return !ended && !cancelled;
    }

    /// Sets the action to run when the call ends, whatever the reason.
    void onEnd(Runnable action) {
        timeoutEnding = action;
    }

    void start() {
        guarded(() -> listener = method.getServerCallHandler().startCall(this, head.metadata()));
    }

    Receiving<Q> receiving() {
        return receiving;
    }

    @Override
    public void message(Q message) {
        Listener<Q> to = listener;
        if (to != null) {
            to.onMessage(message);
        }
    }

    @Override
    public void halfClosed() {
        Listener<Q> to = listener;
        if (to != null) {
            to.onHalfClose();
        }
    }

    void widen(int bytes) throws ProtocolException {
        sending.widen(bytes);
    }

    /// The client cancelled the call, is gone, or its time limit has passed.
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

    /// Runs work of the service, and closes the call if it throws.
    @Override
    @SuppressWarnings("CatchThrowable") // the connection also serves other calls
    public void guarded(Runnable work) {
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

    @Override
    public void request(int count) {
        if (!connection.isOnThread()) {
            later(() -> request(count));
            return;
        }
        receiving.request(count);
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
        if (!receiving.hasEnded()) {
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
        receiving.discard();
        Runnable ending = timeoutEnding;
        if (ending != null) {
            ending.run();
        }
    }
}
