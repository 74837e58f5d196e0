package io.cleave.yt.format;

import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// The part of a body that is in memory: `array()[from, to)`. It grows until it contains a whole
/// row. It takes memory for itself, and the same amount for fields that are converted.
///
/// Threads: one at a time.
final class RowWindow {
    /// The maximum size of a row on the wire.
    static final int MAX_ROW_BYTES = 64 << 20;

    private static final int FIRST_BYTES = 64 << 10;
    private static final int LEAST_BYTES = 512;
    private static final int COPIES = 2;

    private final InputStream body;
    private final CallMemory memory;
    private byte[] array;
    private int to;
    private long origin;
    private boolean ended;

    /// A window on a body that is completely in memory.
    RowWindow(byte[] body, CallMemory memory) {
        this.body = InputStream.nullInputStream();
        this.memory = memory;
        this.array = body;
        this.to = body.length;
        this.ended = true;
    }

    /// A window for a body that has about `expectedBytes` bytes.
    static RowWindow expecting(InputStream body, long expectedBytes, CallMemory memory) {
        // One byte more than a small body, so that the first read finds its end.
        int firstBytes = Math.clamp(expectedBytes + 1, LEAST_BYTES, FIRST_BYTES);
        return new RowWindow(body, firstBytes, memory);
    }

    /// A window that begins with `firstBytes` bytes.
    RowWindow(InputStream body, int firstBytes, CallMemory memory) {
        memory.take((long) firstBytes * COPIES);
        this.body = body;
        this.memory = memory;
        this.array = new byte[firstBytes];
    }

    /// The memory of the call to which the body belongs.
    CallMemory memory() {
        return memory;
    }

    byte[] array() {
        return array;
    }

    int to() {
        return to;
    }

    /// The position of `array()[0]` in the body.
    long origin() {
        return origin;
    }

    /// Whether the end of the body is in the window.
    boolean hasEnd() {
        return ended;
    }

    /// Drops the bytes before `from`, and reads more. The window then begins at 0. Returns false,
    /// and changes nothing, if the end of the body was already in the window.
    boolean more(int from) {
        if (ended) {
            return false;
        }
        int kept = to - from;
        // Half of the array stays free for new bytes, so a row is parsed only a few times.
        if (kept > array.length / 2) {
            if (array.length >= MAX_ROW_BYTES) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "A row is larger than the limit of %d bytes".formatted(MAX_ROW_BYTES));
            }
            long before = array.length;
            memory.take(2 * before * COPIES);
            array = Arrays.copyOfRange(array, from, from + array.length * 2);
            memory.give(before * COPIES);
        } else {
            System.arraycopy(array, from, array, 0, kept);
        }
        origin += from;
        to = kept;
        to += read();
        ended = to < array.length;
        return true;
    }

    /// Fills the window. If it is not full afterwards, it contains the end of the body.
    private int read() {
        try {
            return body.readNBytes(array, to, array.length - to);
        } catch (IOException e) {
            throw new YtException(
                    YtCodes.GENERIC, "Error reading the request body: " + e.getMessage());
        }
    }
}
