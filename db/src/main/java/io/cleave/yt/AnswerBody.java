package io.cleave.yt;

import io.cleave.http.Answer;
import io.cleave.http.Exchange;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// The body of an answer with status 200. Its beginning is kept, so that a command that fails soon
/// is answered with a status and headers of its own. A longer body is sent while it is written.
///
/// Threads: one at a time.
final class AnswerBody extends OutputStream {
    /// A body up to this size is sent as a whole.
    static final int KEPT_BYTES = 48 << 10;

    private static final int FIRST_BYTES = 1 << 10;

    private static final List<String> TRAILERS =
            List.of(ErrorAnswer.ERROR, ErrorAnswer.CODE, ErrorAnswer.MESSAGE);

    private final Exchange exchange;
    private final String contentType;
    private final Supplier<Map<String, String>> headers;
    private byte[] kept = new byte[FIRST_BYTES];
    private int keptCount;
    private OutputStream begun = OutputStream.nullOutputStream();
    private boolean isBegun;

    /// `headers` are asked for when the first byte is sent.
    AnswerBody(Exchange exchange, String contentType, Supplier<Map<String, String>> headers) {
        this.exchange = exchange;
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
            isBegun = true;
            begun = exchange.begin(200, contentType, headers.get(), TRAILERS);
            begun.write(kept, 0, keptCount);
            kept = new byte[0];
        }
        if (isBegun) {
            begun.write(bytes, offset, length);
            return;
        }
        if (keptCount + length > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(keptCount + length, 2 * kept.length));
        }
        System.arraycopy(bytes, offset, kept, keptCount, length);
        keptCount += length;
    }

    /// The command has ended without an error.
    void end() {
        if (!isBegun) {
            byte[] body = Arrays.copyOf(kept, keptCount);
            exchange.answer(Answer.of(200, contentType, headers.get(), body));
        }
    }
}
