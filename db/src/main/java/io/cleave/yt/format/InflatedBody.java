package io.cleave.yt.format;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/// Unpacks a body that is gzip, zlib or raw deflate. The first two bytes tell which one it is. An
/// empty body stays empty.
///
/// Threads: one at a time.
final class InflatedBody extends UnpackedBody {
    private static final int BUFFER_BYTES = 8 << 10;

    private @Nullable Inflater inflater;

    InflatedBody(InputStream body) {
        super(body, 2);
    }

    @Override
    InputStream open(byte[] head, int count, InputStream packed) throws IOException {
        if (count == 2 && (head[0] & 0xFF) == 0x1F && (head[1] & 0xFF) == 0x8B) {
            return new GZIPInputStream(packed, BUFFER_BYTES);
        }
        var own = new Inflater(!isZlib(head));
        inflater = own;
        return new InflaterInputStream(packed, own, BUFFER_BYTES);
    }

    /// A zlib stream begins with its method, which is 8, and a number that is divisible by 31.
    private static boolean isZlib(byte[] head) {
        int first = head[0] & 0xFF;
        return (first & 0x0F) == 8 && first >> 4 <= 7 && (first << 8 | (head[1] & 0xFF)) % 31 == 0;
    }

    @Override
    public void close() throws IOException {
        if (inflater != null) {
            inflater.end();
        }
        super.close();
    }
}
