package io.cleave.yt;

import io.cleave.http.Answer;
import io.cleave.http.Exchange;
import io.cleave.yt.format.CallMemory;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// The body of an answer with status 200. Its first bytes are buffered, so a command that fails
/// early can still answer with an error status and other headers. A longer body is sent while the
/// command writes it. The buffers that wait for a slow client take memory of the call.
///
/// Threads: one at a time.
final class AnswerBody extends OutputStream {
    /// A body up to this size is sent in one piece.
    static final int KEPT_BYTES = 48 << 10;

    private static final int FIRST_BYTES = 1 << 10;

    /// The size of all buffers, of this class and of the encodings before it, while a body is sent.
    private static final int BUFFER_BYTES = 256 << 10;

    /// A larger write, such as a large row, takes more memory of the call: once for the row, and
    /// once for its encoded bytes.
    private static final int LARGE_BYTES = 64 << 10;

    private static final int COPIES = 2;

    private static final List<String> TRAILERS =
            List.of(ErrorAnswer.ERROR, ErrorAnswer.CODE, ErrorAnswer.MESSAGE);

    private final Exchange exchange;
    private final String contentType;
    private final Supplier<Map<String, String>> headers;
    private final CallMemory memory;
    private byte[] kept = new byte[FIRST_BYTES];
    private int keptCount;
    private OutputStream begun = OutputStream.nullOutputStream();
    private boolean isBegun;

    /// `headers` is called when the first byte is sent.
    AnswerBody(
            Exchange exchange,
            String contentType,
            Supplier<Map<String, String>> headers,
            CallMemory memory) {
        this.exchange = exchange;
        this.memory = memory;
        this.contentType = contentType;
        this.headers = headers;
    }

    boolean isBegun() {
        return isBegun;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (!isBegun && keptCount + length > KEPT_BYTES) {
            memory.take(BUFFER_BYTES);
            isBegun = true;
            begun = exchange.begin(200, contentType, headers.get(), TRAILERS);
            begun.write(kept, 0, keptCount);
            kept = new byte[0];
        }
        if (isBegun) {
            send(bytes, offset, length);
            return;
        }
        if (keptCount + length > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(keptCount + length, 2 * kept.length));
        }
        System.arraycopy(bytes, offset, kept, keptCount, length);
        keptCount += length;
    }

    private void send(byte[] bytes, int offset, int length) throws IOException {
        long large = length > LARGE_BYTES ? (long) COPIES * length : 0;
        memory.take(large);
        try {
            begun.write(bytes, offset, length);
        } finally {
            memory.give(large);
        }
    }

    /// Called when the command has ended without an error.
    void end() {
        if (!isBegun) {
            byte[] body = Arrays.copyOf(kept, keptCount);
            exchange.answer(Answer.of(200, contentType, headers.get(), body));
        }
    }
}
