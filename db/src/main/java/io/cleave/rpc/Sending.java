package io.cleave.rpc;

import io.cleave.memory.MemoryPool;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/// The answer of one call: what of it waits, because the client does not take it yet.
///
/// Threads: the connection's, but for [#announce] and [#isReady].
final class Sending {
    /// A call is ready for more while less than this waits.
    private static final int READY_BYTES = 32 << 10;

    /// Answers that were not asked of the memory before may take as much again as it has.
    private static final int OVERDRAFT = 2;

    private final Outbox outbox;
    private final ByteBufAllocator buffers;
    private final int stream;
    private final Events events;
    private final MemoryPool memory;

    /// Bytes of messages that have not been sent.
    private final AtomicLong waitingBytes = new AtomicLong();

    /// What the client lets this stream send, apart from the window that every stream has at first.
    /// The client changes that for all its streams with one frame, so it is counted once, in the
    /// outbox.
    private long widenedBytes;

    /// Null when nothing waits.
    private @Nullable ArrayDeque<ByteBuf> unsent;

    /// Whether the outbox may know of this call.
    private boolean awaited;

    /// To be sent after all messages.
    private byte @Nullable [] trailers;

    private boolean closed;

    /// What a call is told.
    interface Events {
        /// It was not ready for more messages, and is now.
        void becameReady();

        /// Everything has been sent.
        void ended();

        /// All clients together leave too much unread, and this one has not read what it has.
        void leavesTooMuch(String why);
    }

    /// What waits is counted in the `memory`.
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

    /// Counts a message that [#announced] will be called with.
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
        if (!reads && memory.usedBytes() > OVERDRAFT * memory.limitBytes()) {
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

    /// Ends the stream when all messages have been sent; only the first of several counts.
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

    /// Sends one frame of what waits; answers whether there is more that could go.
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

    /// Whether data waits; for the stream's window, if it cannot be sent.
    boolean hasUnsent() {
        return unsent != null;
    }

    /// Nothing more is sent.
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
