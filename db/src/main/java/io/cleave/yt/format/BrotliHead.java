package io.cleave.yt.format;

/// The beginning of a stream in Brotli (RFC 7932). It determines how much memory the decoder takes
/// for its window.
///
/// ```
/// stream     window bits, metablocks
/// metablock  last (1 bit), empty (1 bit, if last), nibbles (2 bits), length - 1 (4 bits each),
///            not compressed (1 bit, unless last), data
/// ```
///
/// Bits are counted from the lowest of each byte. Without decoding, only the lengths of metablocks
/// up to the first compressed one are known.
///
/// Threads: one at a time.
final class BrotliHead {
    /// The number of bytes of a stream that are examined.
    static final int MAX_BYTES = 256;

    /// The smallest window of the decoder.
    private static final int LEAST_WINDOW_BYTES = 16 << 10;

    private static final int DEFAULT_BITS = 16;
    private static final int METADATA = 3;

    private final byte[] head;
    private final int length;
    private int bitAt;

    private BrotliHead(byte[] head, int length) {
        this.head = head;
        this.length = length;
    }

    /// The maximum memory of the decoder's window for a stream that begins with `head[0, length)`.
    static long windowBytes(byte[] head, int length) {
        var reader = new BrotliHead(head, length);
        long window = 1L << reader.windowBits();
        long contentBytes = reader.contentBytes(window);
        return Math.min(window, Math.max(LEAST_WINDOW_BYTES, 2 * contentBytes));
    }

    private int windowBits() {
        if (bits(1) == 0) {
            return DEFAULT_BITS;
        }
        int high = bits(3);
        if (high > 0) {
            return DEFAULT_BITS + 1 + high;
        }
        int low = bits(3);
        return low > 0 ? 8 + low : DEFAULT_BITS + 1;
    }

    /// The length of the unpacked stream, or `unknown`.
    private long contentBytes(long unknown) {
        long bytes = 0;
        while (bitAt < 8 * length) {
            boolean isLast = bits(1) == 1;
            if (isLast && bits(1) == 1) {
                return bytes;
            }
            int nibbles = bits(2);
            if (nibbles == METADATA) {
                return unknown;
            }
            int blockBytes = bits(4 * (4 + nibbles)) + 1;
            bytes += blockBytes;
            if (isLast) {
                return bytes;
            }
            if (bits(1) == 0) {
                return unknown;
            }
            bitAt = (bitAt + 7) / 8 * 8;
            if (blockBytes > length - bitAt / 8) {
                return unknown;
            }
            bitAt += 8 * blockBytes;
        }
        return unknown;
    }

    /// The next bits. Bits after the end of the head are 0.
    private int bits(int count) {
        int bits = 0;
        for (int index = 0; index < count; index++) {
            int at = bitAt++;
            if (at < 8 * length) {
                bits |= ((head[at / 8] >> (at % 8)) & 1) << index;
            }
        }
        return bits;
    }
}
