package io.cleave.rpc;

import io.cleave.memory.MemoryPool;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/// The reply of one call, with the part of it that the client does not accept yet.
///
/// Threads: only the connection's, except for [#announce] and [#isReady].
final class Sending {
    /// A call is ready for more while fewer bytes than this wait.
    private static final int READY_BYTES = 32 << 10;

    private final Outbox outbox;
    private final ByteBufAllocator buffers;
    private final int stream;
    private final Events events;
    private final MemoryPool memory;

    /// Bytes of unsent messages.
    private final AtomicLong waitingBytes = new AtomicLong();

    /// The stream's window minus the initial window. The client can change the initial window of
    /// all streams with one frame, so the outbox has it once for all streams.
    private long widenedBytes;

    /// Null if nothing waits.
    private @Nullable ArrayDeque<ByteBuf> unsent;

    /// Whether the outbox may refer to this call.
    private boolean awaited;

    /// Sent after all messages.
    private byte @Nullable [] trailers;

    private boolean closed;

    /// What the call is told.
    interface Events {
        /// The call was not ready for more messages and now is.
        void becameReady();

        /// Everything has been sent.
        void ended();

        /// The unread replies of all clients exceed the limit, and this client is not reading.
        void leavesTooMuch(String why);
    }

    /// Bytes that wait are counted in `memory`.
    Sending(Outbox outbox, ByteBufAllocator buffers, int stream, Events events, MemoryPool memory) {
        this.memory = memory;
        this.outbox = outbox;
        this.buffers = buffers;
        this.stream = stream;
        this.events = events;
    }

    boolean isReady() {
        return waitingBytes.get() < READY_BYTES;
    }

    /// Encodes and counts a message, on any thread. The connection's thread must then pass the
    /// result to [#announced].
    ByteBuf announce(InputStream message) {
        ByteBuf packed = MessageAssembly.packed(buffers, message);
        waitingBytes.addAndGet(packed.readableBytes());
        memory.take(packed.readableBytes());
        return packed;
    }

    void announced(ByteBuf packed) {
        if (closed) {
            memory.give(packed.readableBytes());
            packed.release();
            return;
        }
        boolean reads = window() > 0 && outbox.isRead();
        if (!reads && outbox.isOverdrawn()) {
            events.leavesTooMuch(
                    memory.exhaustedText("An answer that is not read", packed.readableBytes()));
        }
        if (unsent == null) {
            unsent = new ArrayDeque<>();
        }
        unsent.add(packed);
        awaitTurn();
    }

    void headers(byte[] block) {
        outbox.headers(stream, block, false);
    }

    void message(InputStream message) {
        int length;
        try {
            length = MessageAssembly.lengthOf(message);
        } catch (IOException e) {
            throw new IllegalStateException("a message has no length", e);
        }
        int bytes = MessageAssembly.PREFIX_BYTES + length;
        if (length >= 0 && unsent == null && bytes <= window() && outbox.takes(bytes)) {
            widenedBytes -= bytes;
            outbox.message(stream, message, length);
        } else {
            announced(announce(message));
        }
    }

    /// Ends the stream after all messages. Only the first call has an effect.
    void end(byte[] block) {
        if (trailers != null) {
            return;
        }
        trailers = block;
        if (unsent == null) {
            finish(block);
        }
    }

    void widen(int bytes) throws ProtocolException {
        outbox.checkWindow(window());
        widenedBytes += bytes;
        if (window() > Frames.MAX_WINDOW_BYTES) {
            throw ProtocolException.ofStream(
                    Frames.FLOW_CONTROL_ERROR, stream, "the stream's window is too wide");
        }
        awaitTurn();
    }

    private long window() {
        return outbox.initialWindow() + widenedBytes;
    }

    /// Sends one frame of the waiting data. Returns whether more could be sent.
    boolean sendSome() throws ProtocolException {
        outbox.checkWindow(window());
        ByteBuf next = unsent == null ? null : unsent.peek();
        if (next != null) {
            int bytes = outbox.data(stream, next, window());
            widenedBytes -= bytes;
            if (!next.isReadable()) {
                next.release();
                removeFirst();
            }
            becomeReady(bytes);
        }
        return canSend();
    }

    /// Whether data waits. If it cannot be sent, it waits for the stream's window.
    boolean hasUnsent() {
        return unsent != null;
    }

    /// Stops sending, and gives all memory back.
    void discard() {
        closed = true;
        if (unsent != null) {
            for (ByteBuf packed : unsent) {
                memory.give(packed.readableBytes());
                packed.release();
            }
            unsent = null;
        }
        if (awaited) {
            outbox.forget(this);
        }
    }

    private void awaitTurn() {
        if (unsent != null) {
            awaited = true;
            outbox.await(this);
        }
    }

    boolean canSend() {
        return unsent != null && window() > 0;
    }

    private void removeFirst() {
        if (unsent == null) {
            return;
        }
        unsent.remove();
        if (!unsent.isEmpty()) {
            return;
        }
        unsent = null;
        if (trailers != null) {
            finish(trailers);
        }
    }

    private void finish(byte[] block) {
        outbox.headers(stream, block, true);
        events.ended();
    }

    private void becomeReady(int sentBytes) {
        memory.give(sentBytes);
        long before = waitingBytes.getAndAdd(-sentBytes);
        if (before >= READY_BYTES && before - sentBytes < READY_BYTES) {
            events.becameReady();
        }
    }
}
