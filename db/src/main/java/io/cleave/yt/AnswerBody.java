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

/// The body of an answer with status 200. Its beginning is kept, so that a command that fails soon
/// is answered with a status and headers of its own. A longer body is sent while it is written. It
/// then takes memory for the buffers that are in use while the client does not read.
///
/// Threads: one at a time.
final class AnswerBody extends OutputStream {
    /// A body up to this size is sent as a whole.
    static final int KEPT_BYTES = 48 << 10;

    private static final int FIRST_BYTES = 1 << 10;

    /// What this class and the encodings before it keep while a body is sent.
    private static final int BUFFER_BYTES = 256 << 10;

    /// A larger write, such as that of a large row, takes memory of its own: for the row, and for
    /// its bytes.
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

    /// `headers` are asked for when the first byte is sent.
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

    /// The command has ended without an error.
    void end() {
        if (!isBegun) {
            byte[] body = Arrays.copyOf(kept, keptCount);
            exchange.answer(Answer.of(200, contentType, headers.get(), body));
        }
    }
}
