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
/// The decoder's window has up to 16 MB, and the tables of one metablock have up to 3.4 MB. Their
/// memory is taken from the call until the end of the stream.
///
/// Threads: one at a time.
final class BrotliBody extends InputStream {
    private static final int BUFFER_BYTES = 4 << 10;

    /// The memory of the decoder without its window and its tables.
    private static final int STATE_BYTES = 48 << 10;

    /// The tables for literals, commands and distances: up to 256 trees of 1080 integers each. A
    /// stream of a few bytes can ask for all of them.
    private static final int TABLES_BYTES = 3 * 256 * 1080 * Integer.BYTES;

    private final PushbackInputStream body;
    private final CallMemory memory;
    private @Nullable InputStream unpacked;
    private long takenBytes;
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
        unpacked = null;
        memory.give(takenBytes);
        takenBytes = 0;
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
        long bytes = STATE_BYTES + TABLES_BYTES + BrotliHead.windowBytes(head, count);
        memory.take(bytes);
        takenBytes = bytes;
        return new BrotliInputStream(body, BUFFER_BYTES);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
