package io.cleave.yt.format;

import io.cleave.base.ByteWriter;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// Writes rows as bytes into a buffer, and sends it in blocks of whole rows. [#finish] sends the
/// rest. If the sink fails, the client is gone, and the caller gets an [UncheckedIOException].
///
/// Threads: one at a time.
public abstract class EncodedRowOutput implements RowOutput {
    /// A block is sent when it has this many bytes.
    private static final int BLOCK_BYTES = 32 << 10;

    /// A buffer that has grown beyond this size for a large row is not kept.
    private static final int MAX_KEPT_BYTES = 1 << 20;

    /// Most answers of one row fit into this size.
    private static final int FIRST_BYTES = 2 << 10;

    private final OutputStream sink;
    ByteWriter out = new ByteWriter(FIRST_BYTES);

    /// The end of the last whole row. The bytes after it are a part of a row.
    private int rowsEnd;

    EncodedRowOutput(OutputStream sink) {
        this.sink = sink;
    }

    /// Sends the remaining rows. To be called once, after the last row or after an error. A row
    /// that was begun and not ended is dropped.
    public final void finish() {
        handOn();
    }

    /// To be called after each row.
    final void rowEnded() {
        rowsEnd = out.length();
        if (rowsEnd >= BLOCK_BYTES) {
            handOn();
        }
    }

    private void handOn() {
        if (rowsEnd == 0) {
            return;
        }
        try {
            sink.write(out.array(), 0, rowsEnd);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rowsEnd = 0;
        if (out.array().length > MAX_KEPT_BYTES) {
            out = new ByteWriter(FIRST_BYTES);
        } else {
            out.clear();
        }
    }
}
