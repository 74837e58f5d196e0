package io.cleave.yt.format;

import org.brotli.dec.BrotliInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/// Unpacks a body in Brotli. An empty body stays empty. Reading a broken stream throws a
/// [ZipException].
///
/// The decoder's window has up to 16 MB. Its memory is taken from the call. The tables of one
/// metablock have up to 3.4 MB. They are not counted: decoding never waits, so there are at most as
/// many of them as processors.
///
/// Threads: one at a time.
final class BrotliBody extends UnpackedBody {
    private static final int BUFFER_BYTES = 4 << 10;

    /// The memory of the decoder without its window and its tables.
    private static final int STATE_BYTES = 48 << 10;

    private final CallMemory memory;
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
            ended = count < 0;
            return count;
        } catch (IOException | IndexOutOfBoundsException | IllegalStateException _) {
            // The decoder does not detect every broken stream by itself.
            throw broken();
        }
    }

    private static ZipException broken() {
        return new ZipException("the Brotli stream is broken, or stops too early");
    }

    @Override
    InputStream open(byte[] head, int count, InputStream packed) throws IOException {
        memory.take(STATE_BYTES + BrotliHead.windowBytes(head, count));
        return new BrotliInputStream(packed, BUFFER_BYTES);
    }
}
