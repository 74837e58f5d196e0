package io.cleave.rpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

/// The numbers of HTTP/2 (RFC 9113), and the header of a frame. Big-endian.
///
/// ```
/// 0  u24  length     of the payload, which follows
/// 3  u8   type
/// 4  u8   flags
/// 5  u32  stream     the highest bit is ignored; 0 is the connection
/// ```
final class Frames {
    static final int HEADER_BYTES = 3 + 1 + 1 + 4;

    /// The default limit of a frame's payload. The server never negotiates another one.
    static final int MAX_PAYLOAD_BYTES = 1 << 14;

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    /// Flag of SETTINGS and PING.
    static final int ACK = 0x1;

    /// Flag of DATA and HEADERS.
    static final int END_STREAM = 0x1;

    /// Flag of HEADERS and CONTINUATION.
    static final int END_HEADERS = 0x4;

    /// Flag of DATA and HEADERS.
    static final int PADDED = 0x8;

    /// Flag of HEADERS: five bytes of priority come first, which HTTP/2 has deprecated.
    static final int WITH_PRIORITY = 0x20;

    static final int PRIORITY_BYTES = 4 + 1;
    static final int RST_STREAM_BYTES = 4;
    static final int WINDOW_UPDATE_BYTES = 4;
    static final int PING_BYTES = 8;

    /// The number and the value of a setting.
    static final int SETTING_BYTES = 2 + 4;

    static final int SETTING_ENABLE_PUSH = 2;
    static final int SETTING_MAX_STREAMS = 3;
    static final int SETTING_INITIAL_WINDOW = 4;
    static final int SETTING_MAX_FRAME = 5;
    static final int SETTING_MAX_HEADERS = 6;

    static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int STREAM_CLOSED = 5;
    static final int FRAME_SIZE_ERROR = 6;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    static final int COMPRESSION_ERROR = 9;
    static final int ENHANCE_YOUR_CALM = 11;

    /// The initial window of a stream and of a connection, unless a peer changes it.
    static final int DEFAULT_WINDOW_BYTES = 65_535;

    static final int MAX_WINDOW_BYTES = Integer.MAX_VALUE;
    static final int MAX_STREAM = Integer.MAX_VALUE;

    private Frames() {}

    static void begin(ByteBuf out, int payloadBytes, int type, int flags, int stream) {
        out.writeMedium(payloadBytes);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
    }
}
