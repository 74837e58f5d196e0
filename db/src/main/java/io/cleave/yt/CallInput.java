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

/// Reads the body of a request and removes its content coding. The bytes that are kept take memory
/// from a pool, so a small body that unpacks to a large one (a "zip bomb") cannot fill the heap.
///
/// Threads: one at a time.
final class CallInput implements AutoCloseable {
    private static final int STEP_BYTES = 64 << 10;

    /// While bytes are collected, their buffer has up to twice their size. At the end they are
    /// copied, which takes their size once more.
    private static final int COPIES = 3;

    /// The usual ratio of the unpacked size of a small body to its packed size.
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

    /// Reads the rows of the body while it arrives and is unpacked. A small body that is not packed
    /// is read in place.
    RowInput rows(DataFormat format) {
        long bytes = request.bodyLength();
        if (coding.isIdentity()) {
            return bytes <= STEP_BYTES && request.hasWholeBody()
                    ? format.rows(request.bodyBytes(), memory)
                    : format.rows(stream(), bytes, memory);
        }
        return format.rows(stream(), USUAL_RATIO * bytes, memory);
    }

    /// The value in the body. The memory of the body's bytes is given back. The memory of the tree
    /// stays taken.
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
        if (coding.isIdentity() && request.hasWholeBody()) {
            // A body of one part is not copied, but few large bodies have one part, so the copy is
            // always counted.
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
