package io.cleave.rpc;

import static io.cleave.rpc.Frames.FRAME_SIZE_ERROR;
import static io.cleave.rpc.Frames.PROTOCOL_ERROR;
import static io.cleave.rpc.ProtocolException.check;

import io.cleave.rpc.FrameRates.Kind;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Cuts the bytes of a channel into frames, checks their form, and hands them to the connection.
///
/// Threads: only the channel's.
final class FrameReader extends ChannelInboundHandlerAdapter {
    /// The connection preface that every HTTP/2 client sends first.
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int STREAM_BITS = 0x7fff_ffff;

    /// How much is read from one connection before others have their turn. A frame counts one unit,
    /// plus one for each KB.
    private static final int MAX_TURN_UNITS = 512;

    private static final int UNIT_BITS = 10;
    private static final int LEAST_REST_BYTES = 512;

    /// Limit of frames for the headers of one request.
    private static final int MAX_BLOCK_FRAMES = 32;

    private final RpcServer server;
    private @Nullable Connection connection;

    /// Bytes that are not processed yet, such as the beginning of a frame.
    private @Nullable ByteBuf rest;

    private int prefaceBytes;
    private boolean begun;

    /// Headers that continue in the next frame, which must be of the same stream.
    private @Nullable ByteBuf block;

    private int turnUnits;

    /// Whether reading is paused, for the turns of other connections or for the peer.
    private boolean paused;

    /// Whether reading waits until the peer reads its answers.
    private boolean stalled;

    private int blockFrames;
    private int blockStream;
    private boolean blockEnds;

    FrameReader(RpcServer server) {
        this.server = server;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Connection opened = new Connection(server, context);
        connection = opened;
        Optional<String> refusal = server.opened(opened);
        opened.begin();
        refusal.ifPresent(opened::refuse);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        rest = released(rest);
        releaseBlock();
        Connection closed = connection;
        if (closed != null) {
            closed.closed();
            server.closed(closed);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        readAll(context, joined((ByteBuf) message));
        if (turnUnits >= MAX_TURN_UNITS && !paused) {
            pause(context);
        }
    }

    private void readAll(ChannelHandlerContext context, ByteBuf in) {
        boolean kept = false;
        try {
            read(in);
            if (!in.isReadable() || connection().isEnding()) {
                return;
            }
            if (in.readableBytes() > Frames.HEADER_BYTES + Frames.MAX_PAYLOAD_BYTES) {
                rest = in;
                kept = true;
            } else {
                // The buffer grows as bytes arrive. The length in a frame's header is not trusted.
                rest = context.alloc().buffer(Math.max(LEAST_REST_BYTES, in.readableBytes()));
                rest.writeBytes(in);
            }
        } finally {
            if (!kept) {
                in.release();
            }
        }
    }

    /// Continues to read after the thread's other connections have had their turn. A scheduled task
    /// with delay 0 runs in the next turn; a submitted task would still run in this one.
    private void pause(ChannelHandlerContext context) {
        paused = true;
        context.channel().config().setAutoRead(false);
        var _ =
                context.channel()
                        .eventLoop()
                        .schedule(() -> goOn(context), 0, TimeUnit.NANOSECONDS);
    }

    private void goOn(ChannelHandlerContext context) {
        if (!context.channel().isActive() || connection().isEnding()) {
            return;
        }
        if (connection().outbox().isBackedUp()) {
            stalled = true;
            return;
        }
        paused = false;
        turnUnits = 0;
        try {
            ByteBuf in = rest;
            if (in != null) {
                rest = null;
                readAll(context, in);
            }
            connection().readComplete();
        } catch (RuntimeException thrown) {
            exceptionCaught(context, thrown);
            return;
        }
        if (turnUnits >= MAX_TURN_UNITS) {
            pause(context);
        } else if (connection().outbox().isBackedUp()) {
            stall(context);
        } else {
            context.channel().config().setAutoRead(true);
        }
    }

    /// Stops reading from a peer that does not read its answers.
    private void stall(ChannelHandlerContext context) {
        paused = true;
        stalled = true;
        context.channel().config().setAutoRead(false);
    }

    /// The new bytes, appended to the unprocessed ones.
    private ByteBuf joined(ByteBuf in) {
        ByteBuf before = rest;
        if (before == null) {
            return in;
        }
        rest = null;
        before.writeBytes(in);
        in.release();
        return before;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        connection().readComplete();
        if (!paused) {
            turnUnits = 0;
            if (connection().outbox().isBackedUp()) {
                stall(context);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            return;
        }
        connection().flush();
        if (stalled) {
            stalled = false;
            pause(context);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (!(thrown instanceof IOException)) {
            server.report(thrown);
        }
        var _ = context.close();
    }

    private Connection connection() {
        Connection known = connection;
        if (known == null) {
            throw new IllegalStateException("the channel was never active");
        }
        return known;
    }

    private void read(ByteBuf in) {
        try {
            if (prefaceBytes < PREFACE.length && !readPreface(in)) {
                return;
            }
            while (turnUnits < MAX_TURN_UNITS && !connection().isEnding() && readFrame(in)) {
                // Ends the turn if the peer does not read its answers.
                if (connection().outbox().isBackedUp()) {
                    turnUnits = MAX_TURN_UNITS;
                }
            }
        } catch (ProtocolException failure) {
            connection().failed(failure);
        }
    }

    private boolean readPreface(ByteBuf in) throws ProtocolException {
        while (prefaceBytes < PREFACE.length && in.isReadable()) {
            check(in.readByte() == PREFACE[prefaceBytes], PROTOCOL_ERROR, "this is not HTTP/2");
            prefaceBytes++;
        }
        return prefaceBytes == PREFACE.length;
    }

    /// Returns false if no whole frame has arrived.
    private boolean readFrame(ByteBuf in) throws ProtocolException {
        if (in.readableBytes() < Frames.HEADER_BYTES) {
            return false;
        }
        int at = in.readerIndex();
        int length = in.getUnsignedMedium(at);
        check(length <= Frames.MAX_PAYLOAD_BYTES, FRAME_SIZE_ERROR, "a frame that is too long");
        if (in.readableBytes() < Frames.HEADER_BYTES + length) {
            return false;
        }
        int type = in.getUnsignedByte(at + 3);
        int flags = in.getUnsignedByte(at + 4);
        int stream = in.getInt(at + 5) & STREAM_BITS;
        int end = at + Frames.HEADER_BYTES + length;
        turnUnits += 1 + (length >> UNIT_BITS);
        connection().heard();
        int limit = in.writerIndex();
        in.readerIndex(at + Frames.HEADER_BYTES);
        // Limits the buffer to the payload while it is read.
        in.writerIndex(end);
        try {
            readPayload(type, flags, stream, in);
        } catch (ProtocolException failure) {
            if (failure.endsConnection()) {
                throw failure;
            }
            connection().failed(failure);
        } finally {
            in.writerIndex(limit);
            in.readerIndex(end);
        }
        return true;
    }

    private void readPayload(int type, int flags, int stream, ByteBuf payload)
            throws ProtocolException {
        check(begun || type == Frames.SETTINGS, PROTOCOL_ERROR, "the first frame is no SETTINGS");
        begun = true;
        check(
                block == null || (type == Frames.CONTINUATION && stream == blockStream),
                PROTOCOL_ERROR,
                "headers that do not go on");
        switch (type) {
            case Frames.DATA -> readData(flags, stream, payload);
            case Frames.HEADERS -> readHeaders(flags, stream, payload);
            case Frames.PRIORITY -> readPriority(stream, payload);
            case Frames.RST_STREAM -> {
                checkStream(stream);
                checkLength(payload, Frames.RST_STREAM_BYTES);
                count(Kind.RESETS);
                connection().reset(stream);
            }
            case Frames.SETTINGS -> readSettings(flags, stream, payload);
            case Frames.PUSH_PROMISE ->
                    throw ProtocolException.ofConnection(PROTOCOL_ERROR, "a client that pushes");
            case Frames.PING -> {
                checkConnection(stream);
                checkLength(payload, Frames.PING_BYTES);
                count((flags & Frames.ACK) == 0 ? Kind.PINGS : Kind.OTHERS);
                if ((flags & Frames.ACK) == 0) {
                    connection().ping(payload.readLong());
                }
            }
            // A client that leaves still gets the answers to its calls.
            case Frames.GOAWAY -> {
                checkConnection(stream);
                count(Kind.OTHERS);
            }
            case Frames.WINDOW_UPDATE -> readWindowUpdate(stream, payload);
            case Frames.CONTINUATION -> readContinuation(flags, payload);
            // A frame of an extension; it is ignored.
            default -> count(Kind.OTHERS);
        }
    }

    private void count(Kind kind) throws ProtocolException {
        connection().counts().add(kind);
    }

    private void readData(int flags, int stream, ByteBuf payload) throws ProtocolException {
        checkStream(stream);
        int frameBytes = payload.readableBytes();
        unpad(flags, payload);
        boolean ends = (flags & Frames.END_STREAM) != 0;
        if (!ends && !payload.isReadable()) {
            count(Kind.EMPTY_DATA);
        }
        connection().data(stream, payload, frameBytes, ends);
    }

    private void readHeaders(int flags, int stream, ByteBuf payload) throws ProtocolException {
        checkStream(stream);
        unpad(flags, payload);
        if ((flags & Frames.WITH_PRIORITY) != 0) {
            check(
                    payload.readableBytes() >= Frames.PRIORITY_BYTES,
                    FRAME_SIZE_ERROR,
                    "headers that are too short");
            // An error of the connection, not only of the stream: without reading this block, the
            // HPACK tables of both sides would differ.
            check(
                    (payload.readInt() & STREAM_BITS) != stream,
                    PROTOCOL_ERROR,
                    "a stream that depends on itself");
            payload.skipBytes(Frames.PRIORITY_BYTES - Integer.BYTES);
        }
        boolean ends = (flags & Frames.END_STREAM) != 0;
        if ((flags & Frames.END_HEADERS) != 0) {
            connection().headers(stream, payload, ends);
            return;
        }
        blockFrames = 1;
        blockStream = stream;
        blockEnds = ends;
        try {
            server.memory().take(server.limits().maxHeaderBytes(), false);
        } catch (StatusRuntimeException refused) {
            throw ProtocolException.ofConnection(
                    Frames.ENHANCE_YOUR_CALM, String.valueOf(refused.getStatus().getDescription()));
        }
        block = payload.alloc().buffer(payload.readableBytes()).writeBytes(payload);
    }

    /// Releases headers that came in several frames.
    private void releaseBlock() {
        ByteBuf headers = block;
        if (headers != null) {
            block = null;
            headers.release();
            server.memory().give(server.limits().maxHeaderBytes());
        }
    }

    private void readContinuation(int flags, ByteBuf payload) throws ProtocolException {
        ByteBuf headers = block;
        if (headers == null) {
            throw ProtocolException.ofConnection(PROTOCOL_ERROR, "a CONTINUATION of nothing");
        }
        count(Kind.CONTINUATIONS);
        blockFrames++;
        check(
                blockFrames <= MAX_BLOCK_FRAMES,
                Frames.ENHANCE_YOUR_CALM,
                "headers of one request in more than " + MAX_BLOCK_FRAMES + " frames");
        // Encoded headers are usually shorter than decoded ones, so the limit of decoded headers is
        // enough for them.
        check(
                headers.readableBytes() + payload.readableBytes()
                        <= server.limits().maxHeaderBytes(),
                Frames.ENHANCE_YOUR_CALM,
                "headers that are too long");
        headers.writeBytes(payload);
        if ((flags & Frames.END_HEADERS) == 0) {
            return;
        }
        try {
            connection().headers(blockStream, headers, blockEnds);
        } finally {
            releaseBlock();
        }
    }

    private void readPriority(int stream, ByteBuf payload) throws ProtocolException {
        checkStream(stream);
        count(Kind.PRIORITIES);
        if (payload.readableBytes() != Frames.PRIORITY_BYTES) {
            throw ProtocolException.ofStream(
                    FRAME_SIZE_ERROR, stream, "a PRIORITY of the wrong length");
        }
        if ((payload.readInt() & STREAM_BITS) == stream) {
            throw ProtocolException.ofStream(
                    PROTOCOL_ERROR, stream, "a stream that depends on itself");
        }
    }

    private void readSettings(int flags, int stream, ByteBuf payload) throws ProtocolException {
        checkConnection(stream);
        if ((flags & Frames.ACK) != 0) {
            checkLength(payload, 0);
            count(Kind.OTHERS);
            return;
        }
        count(Kind.SETTINGS);
        check(
                payload.readableBytes() % Frames.SETTING_BYTES == 0,
                FRAME_SIZE_ERROR,
                "SETTINGS of the wrong length");
        long window = -1;
        while (payload.isReadable()) {
            int number = payload.readUnsignedShort();
            long value = payload.readUnsignedInt();
            checkSetting(number, value);
            if (number == Frames.SETTING_INITIAL_WINDOW) {
                window = value;
            }
        }
        if (window >= 0) {
            connection().outbox().initialWindow((int) window);
        }
        connection().outbox().settingsAck();
    }

    private static void checkSetting(int number, long value) throws ProtocolException {
        switch (number) {
            case Frames.SETTING_ENABLE_PUSH ->
                    check(value <= 1, PROTOCOL_ERROR, "ENABLE_PUSH is neither 0 nor 1");
            case Frames.SETTING_INITIAL_WINDOW ->
                    check(
                            value <= Frames.MAX_WINDOW_BYTES,
                            Frames.FLOW_CONTROL_ERROR,
                            "INITIAL_WINDOW_SIZE is too large");
            // The value is only checked: the server never sends frames above the minimum that every
            // peer accepts.
            case Frames.SETTING_MAX_FRAME ->
                    check(
                            value >= Frames.MAX_PAYLOAD_BYTES && value < 1 << 24,
                            PROTOCOL_ERROR,
                            "MAX_FRAME_SIZE is out of its range");
            default -> {
                // Other settings do not matter: the server uses no dynamic header table, pushes
                // nothing, and sends few headers.
            }
        }
    }

    private void readWindowUpdate(int stream, ByteBuf payload) throws ProtocolException {
        checkLength(payload, Frames.WINDOW_UPDATE_BYTES);
        int bytes = payload.readInt() & STREAM_BITS;
        count(Kind.WINDOW_UPDATES);
        if (bytes < FrameRates.SMALL_WINDOW_BYTES) {
            count(Kind.SMALL_WINDOW_UPDATES);
        }
        if (bytes == 0) {
            String message = "a window that is widened by nothing";
            throw stream == 0
                    ? ProtocolException.ofConnection(PROTOCOL_ERROR, message)
                    : ProtocolException.ofStream(PROTOCOL_ERROR, stream, message);
        }
        connection().windowUpdate(stream, bytes);
    }

    /// Removes the padding and its length.
    private static void unpad(int flags, ByteBuf payload) throws ProtocolException {
        if ((flags & Frames.PADDED) == 0) {
            return;
        }
        check(payload.isReadable(), FRAME_SIZE_ERROR, "padding without a length");
        int padding = payload.readUnsignedByte();
        check(padding <= payload.readableBytes(), PROTOCOL_ERROR, "more padding than payload");
        payload.writerIndex(payload.writerIndex() - padding);
    }

    private static void checkStream(int stream) throws ProtocolException {
        check(stream != 0, PROTOCOL_ERROR, "a frame without a stream");
    }

    private static void checkConnection(int stream) throws ProtocolException {
        check(stream == 0, PROTOCOL_ERROR, "a frame of the connection on a stream");
    }

    private static void checkLength(ByteBuf payload, int bytes) throws ProtocolException {
        check(payload.readableBytes() == bytes, FRAME_SIZE_ERROR, "a frame of the wrong length");
    }

    private static @Nullable ByteBuf released(@Nullable ByteBuf buffer) {
        if (buffer != null) {
            buffer.release();
        }
        return null;
    }
}
