package io.cleave.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Encodes HTTP/2 frames, valid or not, and names HTTP/2 codes.
final class Frame {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int PRIORITIZED = 32;

    static final int SETTING_ENABLE_PUSH = 2;
    static final int SETTING_INITIAL_WINDOW = 4;

    static final int CANCEL = 8;

    static final int HEAD_BYTES = 9;
    static final int MAX_PAYLOAD_BYTES = 16 << 10;
    static final int DEFAULT_WINDOW_BYTES = 65_535;
    static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final List<String> CODES =
            List.of(
                    "NO_ERROR",
                    "PROTOCOL_ERROR",
                    "INTERNAL_ERROR",
                    "FLOW_CONTROL_ERROR",
                    "SETTINGS_TIMEOUT",
                    "STREAM_CLOSED",
                    "FRAME_SIZE_ERROR",
                    "REFUSED_STREAM",
                    "CANCEL",
                    "COMPRESSION_ERROR",
                    "CONNECT_ERROR",
                    "ENHANCE_YOUR_CALM");

    private static final int LONGEST_SHORT_LENGTH = 127;

    private Frame() {}

    static String codeName(int code) {
        return code >= 0 && code < CODES.size() ? CODES.get(code) : "code " + code;
    }

    static byte[] of(int type, int flags, int stream, byte... payload) {
        byte[] frame = new byte[HEAD_BYTES + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        putInt(frame, 5, stream);
        System.arraycopy(payload, 0, frame, HEAD_BYTES, payload.length);
        return frame;
    }

    static byte[] ofInt(int type, int stream, int value) {
        byte[] payload = new byte[Integer.BYTES];
        putInt(payload, 0, value);
        return of(type, 0, stream, payload);
    }

    /// A SETTINGS frame. Settings and values alternate.
    static byte[] settings(int... pairs) {
        var payload = new ByteArrayOutputStream();
        for (int index = 0; index < pairs.length; index += 2) {
            payload.write(pairs[index] >> 8);
            payload.write(pairs[index]);
            byte[] value = new byte[Integer.BYTES];
            putInt(value, 0, pairs[index + 1]);
            payload.writeBytes(value);
        }
        return of(SETTINGS, 0, 0, payload.toByteArray());
    }

    /// The headers of a gRPC call, none of them indexed. In `more`, names and values alternate.
    static byte[] callHeaders(String path, String... more) {
        var block = new ByteArrayOutputStream();
        header(block, ":method", "POST");
        header(block, ":scheme", "http");
        header(block, ":path", path);
        header(block, ":authority", "localhost");
        header(block, "te", "trailers");
        header(block, "content-type", "application/grpc");
        for (int index = 0; index < more.length; index += 2) {
            header(block, more[index], more[index + 1]);
        }
        return block.toByteArray();
    }

    private static void header(ByteArrayOutputStream block, String name, String value) {
        block.write(0); // a literal that is not indexed, with a new name
        text(block, name);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= LONGEST_SHORT_LENGTH) {
            throw new IllegalArgumentException("no header is that long: " + text);
        }
        block.write(bytes.length);
        block.writeBytes(bytes);
    }

    /// A message with gRPC's prefix, which says whether it is compressed and how long it is.
    static byte[] message(boolean packed, byte[] content) {
        byte[] message = new byte[1 + Integer.BYTES + content.length];
        message[0] = (byte) (packed ? 1 : 0);
        putInt(message, 1, content.length);
        System.arraycopy(content, 0, message, 1 + Integer.BYTES, content.length);
        return message;
    }

    static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static int intAt(byte[] bytes, int offset) {
        return (bytes[offset] & 255) << 24
                | (bytes[offset + 1] & 255) << 16
                | (bytes[offset + 2] & 255) << 8
                | (bytes[offset + 3] & 255);
    }

    private static void putInt(byte[] bytes, int offset, int value) {
        bytes[offset] = (byte) (value >> 24);
        bytes[offset + 1] = (byte) (value >> 16);
        bytes[offset + 2] = (byte) (value >> 8);
        bytes[offset + 3] = (byte) value;
    }
}
