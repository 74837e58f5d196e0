package io.cleave.yt.format;

import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.UnaryOperator;
import java.util.zip.ZipException;

/// Limits the bytes of an unpacked body, in total and in proportion to its packed bytes. An error
/// of its encoding becomes a [YtException]. The body ends only when its packed bytes have ended:
/// what follows the encoded data is ignored, but it has to arrive.
///
/// Threads: one at a time.
final class LimitedBody extends InputStream {
    /// This many bytes may be unpacked, whatever their proportion is.
    private static final long FREE_BYTES = 4 << 20;

    /// The maximum proportion. Rows of real tables shrink to a tenth or a hundredth.
    private static final int MAX_RATIO = 500;

    private final Counted packed;
    private final InputStream body;
    private final long maxBytes;
    private long bytes;

    LimitedBody(InputStream packed, UnaryOperator<InputStream> unpacking, long maxBytes) {
        this.packed = new Counted(packed);
        this.body = unpacking.apply(this.packed);
        this.maxBytes = maxBytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count;
        try {
            count = body.read(target, offset, length);
        } catch (ZipException | EOFException e) {
            throw new YtException(
                    YtCodes.GENERIC, "Error decompressing the request body: " + e.getMessage());
        }
        if (count < 0) {
            packed.end();
        }
        if (count > 0) {
            bytes += count;
            if (bytes > maxBytes) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "The request body is too large: limit %d bytes when unpacked; send fewer rows at once"
                                .formatted(maxBytes));
            }
            if (bytes > FREE_BYTES + packed.bytes * MAX_RATIO) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "The request body is compressed more than %d to 1; send it without compression"
                                .formatted(MAX_RATIO));
            }
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    /// Counts the bytes that are read.
    private static final class Counted extends FilterInputStream {
        private static final int SKIPPED_BYTES = 8 << 10;

        private long bytes;
        private @Nullable IOException failure;

        Counted(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                int count = in.read(target, offset, length);
                bytes += Math.max(count, 0);
                return count;
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /// Reads to the end of the packed body. Only then has the whole body arrived. Throws if it
        /// stopped halfway, even if the decoder has taken that for its end.
        void end() throws IOException {
            if (failure != null) {
                throw failure;
            }
            byte[] rest = new byte[SKIPPED_BYTES];
            while (read(rest, 0, rest.length) >= 0) {}
        }
    }
}
