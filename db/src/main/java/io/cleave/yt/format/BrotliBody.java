package io.cleave.yt.format;

import org.brotli.dec.BrotliInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/// Unpacks a body in Brotli. An empty body stays empty. Reading a broken stream throws a
/// [ZipException].
///
/// The decoder's window has up to 16 MB, and the tables of one metablock have up to 3.4 MB. Their
/// memory is taken from the call until the end of the stream.
///
/// Threads: one at a time.
final class BrotliBody extends UnpackedBody {
    private static final int BUFFER_BYTES = 4 << 10;

    /// The memory of the decoder without its window and its tables.
    private static final int STATE_BYTES = 48 << 10;

    /// The tables for literals, commands and distances: up to 256 trees of 1080 integers each. A
    /// stream of a few bytes can ask for all of them.
    private static final int TABLES_BYTES = 3 * 256 * 1080 * Integer.BYTES;

    private final CallMemory memory;
    private long takenBytes;
    private boolean ended;

    BrotliBody(InputStream body, CallMemory memory) {
        super(body, BrotliHead.MAX_BYTES);
        this.memory = memory;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (ended || length == 0) {
            return ended ? -1 : 0;
        }
        try {
            int count = super.read(target, offset, length);
            if (count < 0) {
                end();
            }
            return count;
        } catch (IOException | IndexOutOfBoundsException | IllegalStateException _) {
            // The decoder does not detect every broken stream by itself.
            throw broken();
        }
    }

    private void end() {
        ended = true;
        dropDecoder();
        memory.give(takenBytes);
        takenBytes = 0;
    }

    private static ZipException broken() {
        return new ZipException("the Brotli stream is broken, or stops too early");
    }

    @Override
    InputStream open(byte[] head, int count, InputStream packed) throws IOException {
        long bytes = STATE_BYTES + TABLES_BYTES + BrotliHead.windowBytes(head, count);
        memory.take(bytes);
        takenBytes = bytes;
        return new BrotliInputStream(packed, BUFFER_BYTES);
    }
}
