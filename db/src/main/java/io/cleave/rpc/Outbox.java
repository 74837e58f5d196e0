package io.cleave.rpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.socket.DuplexChannel;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;

/// Frames on their way to the peer, and how many bytes of data it lets us send. Small ones are put
/// together, so that the answers to all that was read at once leave with one write.
///
/// What a peer does not take stays with its calls, which wait here in turn; only headers and what
/// answers the peer's own frames goes out regardless, up to a limit.
///
/// Threads: the connection's.
final class Outbox {
    private static final int LEAST_BUFFER_BYTES = 512;

    /// A buffer that has more is handed on, so that Netty counts it.
    private static final int FULL_BUFFER_BYTES = 32 << 10;

    /// Data of this size is not copied once more.
    private static final int LARGE_DATA_BYTES = 1 << 10;

    /// A peer that has so much to read and goes on asking is cut off.
    private static final long MAX_UNREAD_BYTES = 8 << 20;

    /// A peer that has so much to read beyond what data may take is not read from until it does.
    private static final long BACKED_UP_BYTES = 128 << 10;

    private final ChannelHandlerContext context;

    /// Calls with data that their own window lets them send; they take turns.
    private final LinkedHashSet<Sending> waiting = new LinkedHashSet<>();

    /// Calls with data that their own window does not take.
    private final LinkedHashSet<Sending> stalled = new LinkedHashSet<>();

    private final IntoBuffer intoBuffer = new IntoBuffer();
    private @Nullable ByteBuf buffer;
    private boolean unflushed;
    private boolean answeredCalls;
    private long window = Frames.DEFAULT_WINDOW_BYTES;
    private int initialWindow = Frames.DEFAULT_WINDOW_BYTES;

    Outbox(ChannelHandlerContext context) {
        this.context = context;
    }

    /// Of a new stream.
    int initialWindow() {
        return initialWindow;
    }

    /// Streams that are open get the difference.
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

    /// A stream that was given more and then got the difference of new settings, too, may have more
    /// than there is. It is noticed when the stream is next used.
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

    /// Whether the client takes data on this connection.
    boolean isRead() {
        return window > 0 && isWritable();
    }

    /// Whether so much data may go out as one frame, right now.
    boolean takes(int bytes) {
        return bytes <= Frames.MAX_PAYLOAD_BYTES
                && bytes <= window
                && waiting.isEmpty()
                && isWritable();
    }

    /// A frame with one message of known length, which [#takes] has allowed.
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

    /// As much of `data` as goes into one frame, of a stream with this window; answers how much.
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

    /// A call with data that did not go out yet, because of this connection or its own window.
    void await(Sending call) {
        if (call.canSend()) {
            stalled.remove(call);
            waiting.add(call);
        } else if (!waiting.contains(call)) {
            stalled.add(call);
        }
    }

    /// A call that has ended.
    void forget(Sending call) {
        waiting.remove(call);
        stalled.remove(call);
    }

    /// How many calls have data that did not go out yet.
    int waitingCalls() {
        return waiting.size() + stalled.size();
    }

    /// Sends what calls have been waiting for, a frame of each in turn.
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

    /// False if the peer reads too little of what it asked for: the connection is to be closed.
    boolean flush() {
        handOn();
        if (unflushed) {
            unflushed = false;
            context.flush();
        }
        return context.channel().bytesBeforeWritable() <= MAX_UNREAD_BYTES;
    }

    /// Whether the peer does not read what it asked for.
    boolean isBackedUp() {
        return context.channel().bytesBeforeWritable() > BACKED_UP_BYTES;
    }

    /// Tells the peer that nothing follows what was written.
    void endWhenSent() {
        handOn();
        var _ =
                context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                        .addListener(
                                _ -> {
                                    var _ = ((DuplexChannel) context.channel()).shutdownOutput();
                                });
    }

    /// Closes the connection, after all that was written.
    void closeWhenSent() {
        handOn();
        var _ =
                context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                        .addListener(ChannelFutureListener.CLOSE);
    }

    /// Whether anything of a call was sent since this was last asked.
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
        waiting.clear();
        stalled.clear();
    }

    private boolean isWritable() {
        return context.channel().isWritable();
    }

    /// The payload is written by the caller.
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

    /// Where a message writes itself to.
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
