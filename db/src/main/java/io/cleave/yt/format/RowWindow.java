package io.cleave.yt.format;

import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// The part of a body that is in memory: `array()[from, to)`. It grows until a whole row fits.
///
/// Threads: one at a time.
final class RowWindow {
    /// A row cannot be larger on the wire.
    static final int MAX_ROW_BYTES = 64 << 20;

    private static final int FIRST_BYTES = 64 << 10;

    private final InputStream body;
    private byte[] array;
    private int to;
    private long origin;
    private boolean ended;

    /// A body that is in memory as a whole.
    RowWindow(byte[] body) {
        this.body = InputStream.nullInputStream();
        this.array = body;
        this.to = body.length;
        this.ended = true;
    }

    RowWindow(InputStream body) {
        this(body, FIRST_BYTES);
    }

    /// A window that has at first `firstBytes` bytes.
    RowWindow(InputStream body, int firstBytes) {
        this.body = body;
        this.array = new byte[firstBytes];
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

    /// Drops the bytes before `from`, and reads more. Afterwards the window begins at 0. Returns
    /// false if the end of the body was in the window already; the window is then as it was.
    boolean more(int from) {
        if (ended) {
            return false;
        }
        int kept = to - from;
        // Half of the array stays free for new bytes, so that a row is parsed a few times at most.
        if (kept > array.length / 2) {
            if (array.length >= MAX_ROW_BYTES) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "A row is larger than the limit of %d bytes".formatted(MAX_ROW_BYTES));
            }
            array = Arrays.copyOfRange(array, from, from + array.length * 2);
        } else {
            System.arraycopy(array, from, array, 0, kept);
        }
        origin += from;
        to = kept;
        to += read();
        ended = to < array.length;
        return true;
    }

    /// Fills the window. A window that is not full afterwards has the end of the body.
    private int read() {
        try {
            return body.readNBytes(array, to, array.length - to);
        } catch (IOException e) {
            throw new YtException(
                    YtCodes.GENERIC, "Error reading the request body: " + e.getMessage());
        }
    }
}
