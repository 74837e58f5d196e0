package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.http.Request;
import io.cleave.memory.MemoryPool;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// The body of a request without its content coding. Unpacked bytes that are kept take memory from
/// a pool, so a small body that unpacks to a large one (a "zip bomb") cannot fill the heap.
///
/// Threads: one at a time.
final class CallInput implements AutoCloseable {
    private static final int STEP_BYTES = 64 << 10;

    /// Limit of an unpacked body.
    static final long MAX_UNPACKED_BYTES = 256L << 20;

    private final Request request;
    private final MemoryPool pool;
    private long takenBytes;

    CallInput(Request request, MemoryPool pool) {
        this.request = request;
        this.pool = pool;
    }

    /// Reads the body while it is unpacked.
    InputStream stream() {
        return new Limited(ContentCodings.unpacked(request), MAX_UNPACKED_BYTES);
    }

    /// The whole body.
    Bytes bytes() {
        if (ContentCodings.isIdentity(request)) {
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
            throw broken(e);
        }
        return Bytes.wrap(out.toByteArray());
    }

    private void take(int count) {
        if (!pool.tryTake(count)) {
            throw pool.exhausted("the unpacked body of a request", count);
        }
        takenBytes += count;
    }

    static YtException broken(IOException e) {
        return new YtException(
                YtCodes.GENERIC, "Error decoding the body of the request: " + e.getMessage());
    }

    @Override
    public void close() {
        pool.give(takenBytes);
        takenBytes = 0;
    }

    /// Fails after a number of bytes.
    private static final class Limited extends InputStream {
        private final InputStream in;
        private final long maxBytes;
        private long bytes;

        Limited(InputStream in, long maxBytes) {
            this.in = in;
            this.maxBytes = maxBytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = in.read(target, offset, length);
            bytes += Math.max(0, count);
            if (bytes > maxBytes) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "The unpacked body of a request may have up to %d bytes"
                                .formatted(maxBytes));
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
