package io.cleave.http;

import java.nio.ByteBuffer;

/// The body of an answer, which is passed to the socket in parts.
final class OutgoingBody {
    static final int PART_BYTES = 8 << 10;

    private final byte[] bytes;
    private final Runnable handedOver;
    private int sent;

    OutgoingBody(byte[] bytes, Runnable handedOver) {
        this.bytes = bytes;
        this.handedOver = handedOver;
    }

    /// Runs when the socket has taken all bytes, or when it is certain that it never will.
    Runnable handedOver() {
        return handedOver;
    }

    boolean hasMore() {
        return sent < bytes.length;
    }

    ByteBuffer next() {
        int count = Math.min(PART_BYTES, bytes.length - sent);
        ByteBuffer part = ByteBuffer.wrap(bytes, sent, count);
        sent += count;
        return part;
    }
}
