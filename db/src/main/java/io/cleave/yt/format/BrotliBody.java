package io.cleave.yt.format;

import org.brotli.dec.BrotliInputStream;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.ZipException;

/// Unpacks a body in Brotli. An empty body stays empty. Reading a broken stream throws a
/// [ZipException].
///
/// The decoder's window has up to 16 MB. Its memory is taken from the call. The tables of one
/// metablock have up to 3.4 MB. They are not counted: decoding never waits, so there are at most as
/// many of them as processors.
///
/// Threads: one at a time.
final class BrotliBody extends InputStream {
    private static final int BUFFER_BYTES = 4 << 10;

    /// The memory of the decoder without its window and its tables.
    private static final int STATE_BYTES = 48 << 10;

    private final PushbackInputStream body;
    private final CallMemory memory;
    private @Nullable InputStream unpacked;
    private boolean ended;

    BrotliBody(InputStream body, CallMemory memory) {
        this.body = new PushbackInputStream(body, BrotliHead.MAX_BYTES);
        this.memory = memory;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (ended || length == 0) {
            return ended ? -1 : 0;
        }
        try {
            int count = opened().read(target, offset, length);
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

    private InputStream opened() throws IOException {
        InputStream open = unpacked;
        if (open == null) {
            open = open();
            unpacked = open;
        }
        return open;
    }

    private InputStream open() throws IOException {
        byte[] head = new byte[BrotliHead.MAX_BYTES];
        int count = body.readNBytes(head, 0, head.length);
        if (count == 0) {
            return InputStream.nullInputStream();
        }
        body.unread(head, 0, count);
        memory.take(STATE_BYTES + BrotliHead.windowBytes(head, count));
        return new BrotliInputStream(body, BUFFER_BYTES);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
