package io.cleave.rpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/// The header blocks that a server sends. They do not use HPACK's dynamic table: most blocks are
/// always the same few bytes, which are encoded once.
final class HeaderBlocks {
    private static final String BINARY = "-bin";

    /// A literal field that is not added to the table. Its name follows, or the name's index is in
    /// the low four bits.
    private static final int LITERAL = 0;

    private static final int INDEXED = 0x80;

    /// Clients accept 8 KB of headers in all, and a character may take nine bytes. A description
    /// beyond this length only repeats what the client sent.
    private static final int MOST_DESCRIPTION_CHARS = 800;

    /// The headers before the first message.
    private static final byte[] RESPONSE = bytes(HeaderBlocks::addResponse);

    /// The trailers of a call that succeeded.
    private static final byte[] OK = bytes(block -> add(block, "grpc-status", "0"));

    private HeaderBlocks() {}

    private interface Writing {
        void write(ByteBuf block);
    }

    /// The headers before the messages of a call.
    static byte[] response(Metadata headers) {
        if (headers.keys().isEmpty()) {
            return RESPONSE;
        }
        return bytes(
                block -> {
                    addResponse(block);
                    addAll(block, headers);
                });
    }

    /// The trailers after the messages of a call.
    static byte[] trailers(Status status, Metadata trailers) {
        if (status.isOk() && status.getDescription() == null && trailers.keys().isEmpty()) {
            return OK;
        }
        return bytes(block -> addTrailers(block, status, trailers));
    }

    /// Headers and trailers in one block, for a call without messages.
    static byte[] only(Status status, Metadata trailers) {
        return bytes(
                block -> {
                    addResponse(block);
                    addTrailers(block, status, trailers);
                });
    }

    /// The answer to a request that is not a gRPC call.
    static byte[] http(int httpStatus, Status status) {
        return bytes(
                block -> {
                    add(block, ":status", Integer.toString(httpStatus));
                    addTrailers(block, status, new Metadata());
                });
    }

    private static void addResponse(ByteBuf block) {
        block.writeByte(INDEXED | StaticTable.STATUS_200);
        addInteger(block, LITERAL, 4, StaticTable.CONTENT_TYPE);
        addText(block, "application/grpc");
        add(block, "grpc-accept-encoding", MessageEncoding.ACCEPTED);
    }

    private static void addTrailers(ByteBuf block, Status status, Metadata trailers) {
        add(block, "grpc-status", Integer.toString(status.getCode().value()));
        String description = status.getDescription();
        if (description != null) {
            add(block, "grpc-message", percentEncoded(cut(description)));
        }
        addAll(block, trailers);
    }

    private static void addAll(ByteBuf block, Metadata fields) {
        for (String name : fields.keys()) {
            if (name.endsWith(BINARY)) {
                var key = Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
                for (byte[] value : Objects.requireNonNull(fields.getAll(key))) {
                    add(block, name, Base64.getEncoder().withoutPadding().encodeToString(value));
                }
            } else {
                var key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
                for (String value : Objects.requireNonNull(fields.getAll(key))) {
                    add(block, name, value);
                }
            }
        }
    }

    private static void add(ByteBuf block, String name, String value) {
        block.writeByte(LITERAL);
        addText(block, name);
        addText(block, value);
    }

    static void addText(ByteBuf block, String text) {
        addInteger(block, 0, 7, text.length());
        block.writeCharSequence(text, StandardCharsets.ISO_8859_1);
    }

    private static void addInteger(ByteBuf block, int high, int bits, int value) {
        int most = (1 << bits) - 1;
        if (value < most) {
            block.writeByte(high | value);
            return;
        }
        block.writeByte(high | most);
        int rest = value - most;
        while (rest >= 0x80) {
            block.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        block.writeByte(rest);
    }

    private static String cut(String text) {
        return text.length() <= MOST_DESCRIPTION_CHARS
                ? text
                : text.substring(0, MOST_DESCRIPTION_CHARS) + "…";
    }

    /// Encodes a status message as gRPC does: UTF-8, with `%` and unprintable bytes in hex.
    private static String percentEncoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b < '~' && b != '%') {
                encoded.append((char) b);
            } else {
                encoded.append('%').append("%02X".formatted(b & 0xff));
            }
        }
        return encoded.toString();
    }

    private static byte[] bytes(Writing writing) {
        ByteBuf block = Unpooled.buffer();
        writing.write(block);
        byte[] bytes = new byte[block.readableBytes()];
        block.readBytes(bytes);
        return bytes;
    }
}
