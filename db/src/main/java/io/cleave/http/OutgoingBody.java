package io.cleave.http;

import java.nio.ByteBuffer;

/// The bytes of an answer, of which the socket gets a part at a time.
final class OutgoingBody {
    private static final int PART_BYTES = 8 << 10;

    private final byte[] bytes;
    private final Runnable handedOver;
    private int sent;

    OutgoingBody(byte[] bytes, Runnable handedOver) {
        this.bytes = bytes;
        this.handedOver = handedOver;
    }

    /// To be run when the socket has all of it, or will never take it.
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
