package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.http.Request;
import io.cleave.memory.MemoryPool;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.ContentCoding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/// The body of a request without its content coding. Unpacked bytes that are kept take memory from
/// a pool, so a small body that unpacks to a large one (a "zip bomb") cannot fill the heap.
///
/// Threads: one at a time.
final class CallInput implements AutoCloseable {
    private static final int STEP_BYTES = 64 << 10;

    /// Limit of an unpacked body.
    static final long MAX_UNPACKED_BYTES = 256L << 20;

    private final Request request;
    private final ContentCoding coding;
    private final MemoryPool pool;
    private InputStream opened = InputStream.nullInputStream();
    private long takenBytes;

    CallInput(Request request, ContentCoding coding, MemoryPool pool) {
        this.request = request;
        this.coding = coding;
        this.pool = pool;
    }

    /// A body that is not packed, and so small that it is read from where it is.
    Optional<byte[]> small() {
        return coding.isIdentity() && request.bodyLength() <= STEP_BYTES
                ? Optional.of(request.bodyBytes())
                : Optional.empty();
    }

    /// Reads the body while it is unpacked.
    InputStream stream() {
        InputStream stream = coding.decode(request.bodyStream(), MAX_UNPACKED_BYTES);
        opened = stream;
        return stream;
    }

    /// The whole body.
    Bytes bytes() {
        if (coding.isIdentity()) {
            return Bytes.wrap(request.bodyBytes());
        }
        var out = new ByteArrayOutputStream();
        byte[] step = new byte[STEP_BYTES];
        try (InputStream in = stream()) {
            for (int count = in.read(step); count >= 0; count = in.read(step)) {
                take(count);
                out.write(step, 0, count);
            }
        } catch (IOException e) {
            throw new YtException(
                    YtCodes.GENERIC, "Error decoding the body of the request: " + e.getMessage());
        }
        return Bytes.wrap(out.toByteArray());
    }

    /// Twice the bytes, since the buffer that they are collected in grows by half and is copied.
    private void take(int count) {
        if (!pool.tryTake(2L * count)) {
            throw pool.exhausted("the unpacked body of a request", 2L * count);
        }
        takenBytes += 2L * count;
    }

    @Override
    public void close() {
        try {
            opened.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            pool.give(takenBytes);
            takenBytes = 0;
        }
    }
}
