package io.cleave.yt.format;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/// Unpacks a body whose first bytes say how it is packed. An empty body stays empty.
///
/// Threads: one at a time.
abstract class UnpackedBody extends InputStream {
    private final int headBytes;
    private final PushbackInputStream body;
    private @Nullable InputStream unpacked;

    /// The first `headBytes` bytes are read to choose the decoder.
    UnpackedBody(InputStream body, int headBytes) {
        this.headBytes = headBytes;
        this.body = new PushbackInputStream(body, headBytes);
    }

    /// The decoder of a body that is not empty. `head` has its first `count` bytes; `packed` still
    /// contains these bytes.
    abstract InputStream open(byte[] head, int count, InputStream packed) throws IOException;

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        InputStream open = unpacked;
        if (open == null) {
            open = open();
            unpacked = open;
        }
        return open.read(target, offset, length);
    }

    private InputStream open() throws IOException {
        byte[] head = new byte[headBytes];
        int count = body.readNBytes(head, 0, headBytes);
        if (count == 0) {
            return InputStream.nullInputStream();
        }
        body.unread(head, 0, count);
        return open(head, count, body);
    }

    /// Drops the decoder at the end of the stream, so that its memory can be given back.
    final void dropDecoder() {
        unpacked = InputStream.nullInputStream();
    }

    @Override
    public void close() throws IOException {
        if (unpacked != null) {
            unpacked.close();
        }
        body.close();
    }
}
