package io.cleave.rpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;

/// Sends frames as they are written in a test, and writes down those that come back.
final class RawClient implements AutoCloseable {
    static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private static final String[] TYPES = {
        "DATA",
        "HEADERS",
        "PRIORITY",
        "RST_STREAM",
        "SETTINGS",
        "PUSH_PROMISE",
        "PING",
        "GOAWAY",
        "WINDOW_UPDATE",
        "CONTINUATION"
    };

    private static final String[] CODES = {
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
        "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
        "CONNECT_ERROR", "ENHANCE_YOUR_CALM"
    };

    /// A server that says nothing for so long will say nothing.
    private static final int ANSWER_MILLIS = 30_000;

    private static final int RECEIVE_BYTES = 64 << 10;

    private final Socket socket;
    private final DataInputStream in;
    private int unacknowledged;
    private final HeaderDecoder decoder = new HeaderDecoder(1 << 16);

    RawClient(int port) throws IOException {
        this(port, InetAddress.getLoopbackAddress());
    }

    /// From this address of the machine.
    RawClient(int port, InetAddress from) throws IOException {
        socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        // Otherwise the kernel may keep all answers of a test for a client that reads nothing.
        socket.setReceiveBufferSize(RECEIVE_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(ANSWER_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /// With the preface, SETTINGS, and the server's first frames read.
    static RawClient greeted(int port) throws Exception {
        return greeted(new RawClient(port));
    }

    static RawClient greeted(RawClient client) throws Exception {
        client.send(PREFACE.getBytes(StandardCharsets.US_ASCII));
        client.answers();
        return client;
    }

    void send(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException closed) {
            // What the server said before it closed is still to be read.
        }
    }

    void sendAll(byte[] bytes) {
        try {
            send(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A line of a test: see [#bytes].
    void send(String line) throws IOException {
        send(bytes(line));
        if (line.startsWith("settings")) {
            unacknowledged++;
        }
    }

    /// What comes until the server has answered everything that was sent, or has closed.
    List<String> answers() throws Exception {
        List<String> frames = new ArrayList<>();
        // What waits for a turn goes out when all that was read has been answered.
        for (int turn = 0; turn < 2; turn++) {
            send("settings");
            for (String frame = next(); unacknowledged > 0; frame = next()) {
                frames.add(frame);
                if (frame.equals("closed")) {
                    return frames;
                }
            }
        }
        return frames;
    }

    /// The last frame before the server closes, read on a thread of its own.
    CompletableFuture<String> lastWords() {
        var words = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            String last = "nothing";
                            try {
                                for (String frame = next();
                                        !frame.equals("closed");
                                        frame = next()) {
                                    last = frame;
                                }
                                words.complete(last);
                            } catch (Exception e) {
                                words.completeExceptionally(e);
                            }
                        });
        return words;
    }

    /// Nothing more is sent; the server may go on.
    void endSending() throws IOException {
        try {
            socket.shutdownOutput();
        } catch (SocketException closed) {
            // By the server, which was quicker.
        }
    }

    /// Reads until this frame has come.
    void await(String frame) throws Exception {
        for (String next = next(); !next.equals(frame); next = next()) {
            if (next.equals("closed")) {
                throw new EOFException("closed before " + frame);
            }
        }
    }

    String next() throws Exception {
        try {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == Frames.SETTINGS && (flags & Frames.ACK) != 0) {
                unacknowledged--;
            }
            return text(type, flags, stream, Unpooled.wrappedBuffer(payload));
        } catch (EOFException | SocketException closed) {
            return "closed";
        }
    }

    private String text(int type, int flags, int stream, ByteBuf payload) throws Exception {
        String name = type < TYPES.length ? TYPES[type] : "TYPE " + type;
        String end = (flags & Frames.END_STREAM) != 0 ? " end" : "";
        return switch (type) {
            case Frames.DATA -> name + " " + stream + end + " " + data(payload);
            case Frames.HEADERS -> name + " " + stream + end + headers(payload);
            case Frames.RST_STREAM -> name + " " + stream + " " + CODES[payload.readInt()];
            case Frames.SETTINGS -> name + ((flags & Frames.ACK) != 0 ? " ack" : settings(payload));
            case Frames.PING ->
                    name + ((flags & Frames.ACK) != 0 ? " ack " : " ") + payload.readLong();
            case Frames.GOAWAY ->
                    "%s last=%d %s: %s"
                            .formatted(
                                    name,
                                    payload.readInt(),
                                    CODES[payload.readInt()],
                                    payload.toString(StandardCharsets.UTF_8));
            case Frames.WINDOW_UPDATE -> name + " " + stream + " " + payload.readInt();
            default -> name + " " + stream;
        };
    }

    /// A message if it is one, else how many bytes.
    private static String data(ByteBuf payload) {
        boolean message =
                payload.readableBytes() >= MessageAssembly.PREFIX_BYTES
                        && payload.getInt(1)
                                == payload.readableBytes() - MessageAssembly.PREFIX_BYTES
                        && payload.readableBytes() < 100;
        return message
                ? payload.skipBytes(MessageAssembly.PREFIX_BYTES).toString(StandardCharsets.UTF_8)
                : "(" + payload.readableBytes() + " bytes)";
    }

    private String headers(ByteBuf block) throws ProtocolException {
        var text = new StringBuilder();
        decoder.decode(
                block,
                field ->
                        text.append(' ')
                                .append(field.name().text())
                                .append('=')
                                .append(field.value()));
        return text.toString();
    }

    private static String settings(ByteBuf payload) {
        var text = new StringBuilder();
        while (payload.isReadable()) {
            text.append(" %d=%d".formatted(payload.readUnsignedShort(), payload.readInt()));
        }
        return text.toString();
    }

    /// `call STREAM METHOD [name=value…]`, `message STREAM [end] TEXT`, `large STREAM BYTES`,
    /// `packed STREAM BYTES [more]`, `part STREAM BYTES SENT_BYTES`, `end STREAM`, `settings N=V`,
    /// `window STREAM BYTES`, `reset STREAM`, `frame TYPE FLAGS STREAM HEX`, `headers STREAM [end]
    /// name=value…`.
    static byte[] bytes(String line) {
        String[] words = line.split(" ");
        int stream = words.length > 1 && words[1].matches("\\d+") ? Integer.parseInt(words[1]) : 0;
        return switch (words[0]) {
            case "call" -> {
                ByteBuf block = Unpooled.buffer();
                literal(block, ":method", "POST");
                literal(block, ":scheme", "http");
                literal(block, ":path", "/" + words[2]);
                literal(block, "content-type", "application/grpc");
                addLiterals(block, words, 3);
                yield frame(Frames.HEADERS, Frames.END_HEADERS, stream, block);
            }
            case "headers" -> {
                boolean end = words[2].equals("end");
                ByteBuf block = Unpooled.buffer();
                addLiterals(block, words, end ? 3 : 2);
                int flags = Frames.END_HEADERS | (end ? Frames.END_STREAM : 0);
                yield frame(Frames.HEADERS, flags, stream, block);
            }
            case "message" -> {
                boolean end = words[2].equals("end");
                String text = String.join(" ", List.of(words).subList(end ? 3 : 2, words.length));
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                ByteBuf payload = Unpooled.buffer();
                MessageAssembly.writePrefix(payload, bytes.length);
                payload.writeBytes(bytes);
                yield frame(Frames.DATA, end ? Frames.END_STREAM : 0, stream, payload);
            }
            case "large" -> cut(stream, message(false, new byte[Integer.parseInt(words[2])]), true);
            case "packed" ->
                    cut(
                            stream,
                            message(true, packed(new byte[Integer.parseInt(words[2])])),
                            words.length == 3);
            case "part" -> {
                ByteBuf message = message(false, new byte[Integer.parseInt(words[2])]);
                yield cut(stream, message.readSlice(Integer.parseInt(words[3])), false);
            }
            case "end" -> frame(Frames.DATA, Frames.END_STREAM, stream, Unpooled.EMPTY_BUFFER);
            case "settings" -> {
                ByteBuf payload = Unpooled.buffer();
                for (int index = 1; index < words.length; index++) {
                    String[] setting = words[index].split("=");
                    payload.writeShort(Integer.parseInt(setting[0]));
                    payload.writeInt(Integer.parseUnsignedInt(setting[1]));
                }
                yield frame(Frames.SETTINGS, 0, 0, payload);
            }
            case "window" ->
                    frame(
                            Frames.WINDOW_UPDATE,
                            0,
                            stream,
                            Unpooled.buffer().writeInt(Integer.parseInt(words[2])));
            case "reset" ->
                    frame(Frames.RST_STREAM, 0, stream, Unpooled.buffer().writeInt(Frames.CANCEL));
            case "frame" ->
                    frame(
                            Integer.parseInt(words[1]),
                            Integer.parseInt(words[2], 16),
                            Integer.parseInt(words[3]),
                            Unpooled.wrappedBuffer(
                                    HexFormat.of().parseHex(words.length > 4 ? words[4] : "")));
            default -> throw new IllegalArgumentException(line);
        };
    }

    private static ByteBuf message(boolean packed, byte[] bytes) {
        ByteBuf message = Unpooled.buffer(MessageAssembly.PREFIX_BYTES + bytes.length);
        message.writeByte(packed ? 1 : 0);
        message.writeInt(bytes.length);
        return message.writeBytes(bytes);
    }

    /// The frames of a message.
    static byte[] message(int stream, boolean packed, byte[] bytes) {
        return cut(stream, message(packed, bytes), true);
    }

    static byte[] packed(byte[] bytes) {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /// In frames that are full.
    private static byte[] cut(int stream, ByteBuf message, boolean end) {
        var frames = new ByteArrayOutputStream();
        while (message.isReadable()) {
            int length = Math.min(Frames.MAX_PAYLOAD_BYTES, message.readableBytes());
            int flags = end && length == message.readableBytes() ? Frames.END_STREAM : 0;
            frames.writeBytes(frame(Frames.DATA, flags, stream, message.readSlice(length)));
        }
        return frames.toByteArray();
    }

    private static void addLiterals(ByteBuf block, String[] words, int from) {
        for (int index = from; index < words.length; index++) {
            int equals = words[index].indexOf('=', 1);
            literal(block, words[index].substring(0, equals), words[index].substring(equals + 1));
        }
    }

    static void literal(ByteBuf block, String name, String value) {
        block.writeByte(0);
        HeaderBlocks.addText(block, name);
        HeaderBlocks.addText(block, value);
    }

    static byte[] frame(int type, int flags, int stream, ByteBuf payload) {
        ByteBuf frame = Unpooled.buffer();
        Frames.begin(frame, payload.readableBytes(), type, flags, stream);
        frame.writeBytes(payload);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
