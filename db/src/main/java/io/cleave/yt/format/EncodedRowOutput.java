package io.cleave.yt.format;

import io.cleave.base.ByteWriter;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// Writes rows as bytes into a buffer, and hands it on in blocks of whole rows. [#finish] hands on
/// the rest. If the sink fails, which means that the client is gone, the caller gets an
/// [UncheckedIOException].
///
/// Threads: one at a time.
public abstract class EncodedRowOutput implements RowOutput {
    /// A block is handed on when it has this many bytes.
    private static final int BLOCK_BYTES = 32 << 10;

    /// A buffer that a large row has made larger is not kept.
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final OutputStream sink;
    ByteWriter out = new ByteWriter(BLOCK_BYTES + BLOCK_BYTES / 4);

    EncodedRowOutput(OutputStream sink) {
        this.sink = sink;
    }

    /// Hands on what is left. To be called once, after the last row.
    public final void finish() {
        handOn();
    }

    /// To be called after each row.
    final void rowEnded() {
        if (out.length() >= BLOCK_BYTES) {
            handOn();
        }
    }

    private void handOn() {
        if (out.length() == 0) {
            return;
        }
        try {
            sink.write(out.array(), 0, out.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (out.array().length > MAX_KEPT_BYTES) {
            out = new ByteWriter(BLOCK_BYTES + BLOCK_BYTES / 4);
        } else {
            out.clear();
        }
    }
}
