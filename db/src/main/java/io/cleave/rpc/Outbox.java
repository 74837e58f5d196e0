package io.cleave.rpc;

import io.cleave.memory.MemoryPool;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelOutboundBuffer;
import io.grpc.netty.shaded.io.netty.channel.socket.DuplexChannel;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;

/// Sends frames to the peer, within the flow-control window of the connection. Small frames are
/// collected in a buffer, so that the answers to everything that was read at once leave in one
/// write.
///
/// Data that the peer does not accept stays with its calls, which wait here for their turn.
/// Headers, and answers to the peer's own frames, are sent regardless, up to a limit.
///
/// Threads: only the connection's.
final class Outbox {
    private static final int LEAST_BUFFER_BYTES = 512;

    /// A buffer that is larger is passed on, so that Netty counts it.
    private static final int FULL_BUFFER_BYTES = 32 << 10;

    /// Data of at least this size is not copied into the buffer.
    private static final int LARGE_DATA_BYTES = 1 << 10;

    /// A peer that leaves more than this unread is cut off.
    private static final long MAX_UNREAD_BYTES = 8 << 20;

    /// The server stops reading from a peer that leaves this much unread beyond Netty's low water
    /// mark.
    private static final long BACKED_UP_BYTES = 128 << 10;

    /// A peer that leaves more than this unread is cut off if all peers together leave too much.
    private static final long CUT_UNREAD_BYTES = 64 << 10;

    /// Some answers take memory without checking the limit. All together may reach this many times
    /// the limit.
    private static final int OVERDRAFT = 2;

    private final ChannelHandlerContext context;
    private final MemoryPool memory;

    /// Calls with data that their own window allows; they take turns.
    private final LinkedHashSet<Sending> waiting = new LinkedHashSet<>();

    /// Calls with data whose own window is exhausted.
    private final LinkedHashSet<Sending> stalled = new LinkedHashSet<>();

    private final IntoBuffer intoBuffer = new IntoBuffer();
    private @Nullable ByteBuf buffer;
    private boolean unflushed;

    /// Bytes that the channel held, because the peer had not read them, at the last count. They are
    /// taken from the memory pool.
    private long unreadBytes;

    private boolean answeredCalls;
    private long window = Frames.DEFAULT_WINDOW_BYTES;
    private int initialWindow = Frames.DEFAULT_WINDOW_BYTES;

    /// Bytes that wait are counted in `memory`.
    Outbox(ChannelHandlerContext context, MemoryPool memory) {
        this.context = context;
        this.memory = memory;
    }

    /// Whether all clients together leave too much unread.
    boolean isOverdrawn() {
        return memory.usedBytes() > OVERDRAFT * memory.limitBytes();
    }

    /// The window of a new stream.
    int initialWindow() {
        return initialWindow;
    }

    /// Changes the initial window. The windows of open streams change by the difference.
    void initialWindow(int bytes) {
        boolean wider = bytes > initialWindow;
        initialWindow = bytes;
        if (wider) {
            for (Iterator<Sending> calls = stalled.iterator(); calls.hasNext(); ) {
                Sending call = calls.next();
                if (call.canSend()) {
                    calls.remove();
                    waiting.add(call);
                }
            }
        }
    }

    /// New settings may raise a stream's window above the limit, if the stream was widened before.
    /// This is detected when the stream is used next.
    void checkWindow(long streamWindow) throws ProtocolException {
        ProtocolException.check(
                streamWindow <= Frames.MAX_WINDOW_BYTES,
                Frames.FLOW_CONTROL_ERROR,
                "INITIAL_WINDOW_SIZE makes the window of a stream too wide");
    }

    void widen(int bytes) throws ProtocolException {
        window += bytes;
        ProtocolException.check(
                window <= Frames.MAX_WINDOW_BYTES,
                Frames.FLOW_CONTROL_ERROR,
                "the connection's window is too wide");
    }

    void settings(int... numbersAndValues) {
        int bytes = numbersAndValues.length / 2 * Frames.SETTING_BYTES;
        ByteBuf out = begin(bytes, Frames.SETTINGS, 0, 0);
        for (int index = 0; index < numbersAndValues.length; index += 2) {
            out.writeShort(numbersAndValues[index]);
            out.writeInt(numbersAndValues[index + 1]);
        }
    }

    void settingsAck() {
        begin(0, Frames.SETTINGS, Frames.ACK, 0);
    }

    void ping(int flags, long content) {
        begin(Frames.PING_BYTES, Frames.PING, flags, 0).writeLong(content);
    }

    void windowUpdate(int stream, int bytes) {
        begin(Frames.WINDOW_UPDATE_BYTES, Frames.WINDOW_UPDATE, 0, stream).writeInt(bytes);
    }

    void reset(int stream, int code) {
        begin(Frames.RST_STREAM_BYTES, Frames.RST_STREAM, 0, stream).writeInt(code);
    }

    void goAway(int lastStream, int code, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        begin(4 + 4 + text.length, Frames.GOAWAY, 0, 0)
                .writeInt(lastStream)
                .writeInt(code)
                .writeBytes(text);
    }

    void headers(int stream, byte[] block, boolean end) {
        answeredCalls = true;
        int flags = end ? Frames.END_STREAM : 0;
        int type = Frames.HEADERS;
        int from = 0;
        do {
            int length = Math.min(Frames.MAX_PAYLOAD_BYTES, block.length - from);
            boolean last = from + length == block.length;
            begin(length, type, flags | (last ? Frames.END_HEADERS : 0), stream)
                    .writeBytes(block, from, length);
            from += length;
            type = Frames.CONTINUATION;
            flags = 0;
        } while (from < block.length);
    }

    /// Whether the client accepts data on this connection.
    boolean isRead() {
        return window > 0 && isWritable();
    }

    /// Whether data of this size can be sent now, as one frame.
    boolean takes(int bytes) {
        return bytes <= Frames.MAX_PAYLOAD_BYTES
                && bytes <= window
                && waiting.isEmpty()
                && isWritable();
    }

    /// Sends one message of known length in one frame. [#takes] must have allowed it.
    void message(int stream, InputStream message, int length) {
        int bytes = MessageAssembly.PREFIX_BYTES + length;
        window -= bytes;
        ByteBuf out = begin(bytes, Frames.DATA, 0, stream);
        MessageAssembly.writePrefix(out, length);
        int before = out.writerIndex();
        try {
            MessageAssembly.drain(message, intoBuffer);
        } catch (IOException e) {
            throw new IllegalStateException("a message cannot be written", e);
        }
        if (out.writerIndex() - before != length) {
            throw new IllegalStateException(
                    "a message of %d bytes was to have %d"
                            .formatted(out.writerIndex() - before, length));
        }
    }

    /// Sends as much of `data` as fits into one frame and into both windows; returns the bytes
    /// sent.
    int data(int stream, ByteBuf data, long streamWindow) {
        int bytes =
                (int)
                        Math.min(
                                Math.min(data.readableBytes(), Frames.MAX_PAYLOAD_BYTES),
                                Math.min(window, streamWindow));
        if (bytes <= 0) {
            return 0;
        }
        window -= bytes;
        answeredCalls = true;
        if (bytes < LARGE_DATA_BYTES) {
            begin(bytes, Frames.DATA, 0, stream).writeBytes(data, bytes);
        } else {
            Frames.begin(room(Frames.HEADER_BYTES), bytes, Frames.DATA, 0, stream);
            handOn();
            var _ = context.write(data.readRetainedSlice(bytes), context.voidPromise());
        }
        return bytes;
    }

    /// Registers a call whose data is held up by the connection or by its own window.
    void await(Sending call) {
        if (call.canSend()) {
            if (!stalled.isEmpty()) {
                stalled.remove(call);
            }
            waiting.add(call);
        } else if (!waiting.contains(call)) {
            stalled.add(call);
        }
    }

    /// Removes a call that has ended.
    void forget(Sending call) {
        if (!waiting.isEmpty()) {
            waiting.remove(call);
        }
        if (!stalled.isEmpty()) {
            stalled.remove(call);
        }
    }

    /// How many calls have unsent data.
    int waitingCalls() {
        return waiting.size() + stalled.size();
    }

    /// Sends the data of waiting calls, one frame of each in turn.
    void drain() throws ProtocolException {
        while (!waiting.isEmpty() && window > 0 && isWritable()) {
            Sending call = waiting.removeFirst();
            if (call.sendSome()) {
                waiting.add(call);
            } else if (call.hasUnsent()) {
                stalled.add(call);
            }
        }
    }

    /// Returns false if the peer leaves too much unread; the connection must then be closed.
    boolean flush() {
        handOn();
        if (unflushed) {
            unflushed = false;
            context.flush();
        }
        countUnread();
        return unreadBytes <= CUT_UNREAD_BYTES
                || (context.channel().bytesBeforeWritable() <= MAX_UNREAD_BYTES && !isOverdrawn());
    }

    private void countUnread() {
        ChannelOutboundBuffer pending = context.channel().unsafe().outboundBuffer();
        long bytes = pending == null ? 0 : pending.totalPendingWriteBytes();
        if (bytes > unreadBytes) {
            memory.take(bytes - unreadBytes);
        } else if (bytes < unreadBytes) {
            memory.give(unreadBytes - bytes);
        }
        unreadBytes = bytes;
    }

    /// Whether the peer had unread bytes at the last count.
    boolean hasUnread() {
        return unreadBytes > 0;
    }

    /// Whether the peer leaves so much unread that the server should stop reading from it.
    boolean isBackedUp() {
        return context.channel().bytesBeforeWritable() > BACKED_UP_BYTES;
    }

    /// Sends everything that was written, and then closes the output side.
    void endWhenSent() {
        handOn();
        var _ =
                context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                        .addListener(
                                _ -> {
                                    var _ = ((DuplexChannel) context.channel()).shutdownOutput();
                                });
    }

    /// Sends everything that was written, and then closes the connection.
    void closeWhenSent() {
        handOn();
        var _ =
                context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                        .addListener(ChannelFutureListener.CLOSE);
    }

    /// Whether headers or data of a call were sent since the last call of this method.
    boolean hasAnswered() {
        boolean answered = answeredCalls;
        answeredCalls = false;
        return answered;
    }

    void discard() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        memory.give(unreadBytes);
        unreadBytes = 0;
        waiting.clear();
        stalled.clear();
    }

    private boolean isWritable() {
        return context.channel().isWritable();
    }

    /// Begins a frame; the caller writes the payload.
    private ByteBuf begin(int payloadBytes, int type, int flags, int stream) {
        ByteBuf out = room(Frames.HEADER_BYTES + payloadBytes);
        Frames.begin(out, payloadBytes, type, flags, stream);
        return out;
    }

    private ByteBuf room(int bytes) {
        if (buffer != null && buffer.readableBytes() >= FULL_BUFFER_BYTES) {
            handOn();
        }
        ByteBuf out = buffer;
        if (out == null) {
            out =
                    context.alloc()
                            .directBuffer(
                                    Math.max(LEAST_BUFFER_BYTES, bytes + LEAST_BUFFER_BYTES / 2));
            buffer = out;
        }
        return out;
    }

    private void handOn() {
        ByteBuf out = buffer;
        if (out != null) {
            buffer = null;
            unflushed = true;
            var _ = context.write(out, context.voidPromise());
        }
    }

    /// Writes into the current buffer.
    private final class IntoBuffer extends OutputStream {
        @Override
        public void write(int b) {
            target().writeByte(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            target().writeBytes(bytes, from, length);
        }

        private ByteBuf target() {
            ByteBuf out = buffer;
            if (out == null) {
                throw new IllegalStateException("a message is written where no frame was begun");
            }
            return out;
        }
    }
}
