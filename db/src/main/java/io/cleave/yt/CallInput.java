package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.http.Request;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.CallMemory;
import io.cleave.yt.format.ContentCoding;
import io.cleave.yt.format.DataFormat;
import io.cleave.yt.format.RowInput;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// The body of a request without its content coding. What is kept of it takes memory from a pool,
/// so a small body that unpacks to a large one (a "zip bomb") cannot fill the heap.
///
/// Threads: one at a time.
final class CallInput implements AutoCloseable {
    private static final int STEP_BYTES = 64 << 10;

    /// The buffer in which bytes are collected has up to twice their size, and is copied at the
    /// end.
    private static final int COPIES = 3;

    /// About how much larger a small body is when it is unpacked.
    private static final int USUAL_RATIO = 8;

    /// Limit of an unpacked body.
    static final long MAX_UNPACKED_BYTES = 256L << 20;

    private final Request request;
    private final ContentCoding coding;
    private final CallMemory memory;
    private InputStream opened = InputStream.nullInputStream();

    CallInput(Request request, ContentCoding coding, CallMemory memory) {
        this.request = request;
        this.coding = coding;
        this.memory = memory;
    }

    boolean isEmpty() {
        return request.bodyLength() == 0;
    }

    /// Reads the rows of the body while it is unpacked. A small body that is not packed is read
    /// from where it is.
    RowInput rows(DataFormat format) {
        long bytes = request.bodyLength();
        if (coding.isIdentity()) {
            return bytes <= STEP_BYTES
                    ? format.rows(request.bodyBytes(), memory)
                    : format.rows(stream(), bytes, memory);
        }
        return format.rows(stream(), USUAL_RATIO * bytes, memory);
    }

    /// The value in the body. The bytes of the body are given back, the tree is not.
    YsonNode value(DataFormat format) {
        long before = memory.usedBytes();
        Bytes body = bytes();
        long copied = memory.usedBytes() - before;
        YsonNode value = format.readValue(body, memory);
        memory.give(copied);
        return value;
    }

    private InputStream stream() {
        InputStream stream = coding.decode(request.bodyStream(), MAX_UNPACKED_BYTES, memory);
        opened = stream;
        return stream;
    }

    private Bytes bytes() {
        if (coding.isIdentity()) {
            // A body of one part is not copied, but few large bodies have one part.
            memory.take(request.bodyLength());
            return Bytes.wrap(request.bodyBytes());
        }
        var out = new ByteArrayOutputStream();
        byte[] step = new byte[STEP_BYTES];
        try (InputStream in = stream()) {
            for (int count = in.read(step); count >= 0; count = in.read(step)) {
                memory.take((long) COPIES * count);
                out.write(step, 0, count);
            }
        } catch (IOException e) {
            throw new YtException(
                    YtCodes.GENERIC, "Error decoding the body of the request: " + e.getMessage());
        }
        return Bytes.wrap(out.toByteArray());
    }

    @Override
    public void close() {
        try {
            opened.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            memory.close();
        }
    }
}
