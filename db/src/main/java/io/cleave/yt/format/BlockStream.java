package io.cleave.yt.format;

import io.cleave.base.LittleEndian;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.ZipException;

/// Reads a stream of compressed blocks, as YTsaurus' codecs `z-…` have it. Little-endian.
///
/// ```
///  0  u16  codec     which codec compressed the block
///  2  u64  length    of what follows
/// 10  u64  unpacked  the bytes of the block when they are unpacked; 0 in the last block
/// 18       data      a frame of zstd, length - 8 bytes
/// ```
///
/// A stream without a last block was cut off. Reading a broken stream throws a [ZipException].
///
/// Threads: one at a time.
final class BlockStream extends InputStream {
    static final int HEADER_BYTES = Short.BYTES + Long.BYTES;
    static final int UNPACKED_AT = HEADER_BYTES;

    /// The maximum size of a block, packed or unpacked.
    private static final int MAX_BLOCK_BYTES = 16 << 20;

    /// If a block claims a larger size than this, the size is limited in proportion to its packed
    /// bytes.
    private static final int FREE_BYTES = 1 << 20;

    private static final int MAX_RATIO = 1024;

    private final InputStream body;
    private final CallMemory memory;
    private final byte[] header = new byte[HEADER_BYTES + Long.BYTES];
    private byte[] packed = {};
    private byte[] block = {};
    private int at;
    private int to;
    private boolean ended;

    BlockStream(InputStream body, CallMemory memory) {
        this.body = body;
        this.memory = memory;
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? block[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int count = Math.min(length, to - at);
        System.arraycopy(block, at, target, offset, count);
        at += count;
        return count;
    }

    private boolean hasMore() throws IOException {
        if (at == to && !ended) {
            readBlock();
        }
        return at < to;
    }

    private void readBlock() throws IOException {
        readFully(header, header.length);
        int codec = LittleEndian.getShort(header, 0) & 0xFFFF;
        if (!ZstdCodec.isKnown(codec)) {
            throw new ZipException("unknown codec %d of a block".formatted(codec));
        }
        long length = LittleEndian.getLong(header, Short.BYTES) - Long.BYTES;
        long unpacked = LittleEndian.getLong(header, UNPACKED_AT);
        if (length < 0 || length > MAX_BLOCK_BYTES) {
            throw new ZipException("a block of %d bytes".formatted(length));
        }
        if (unpacked == 0) {
            ended = true;
            if (length > 0 || body.read() >= 0) {
                throw new ZipException("data after the last block");
            }
            return;
        }
        if (unpacked < 0
                || unpacked > MAX_BLOCK_BYTES
                || unpacked > FREE_BYTES + length * MAX_RATIO) {
            throw new ZipException("a block of %d bytes when unpacked".formatted(unpacked));
        }
        if (packed.length < length) {
            packed = larger(packed, (int) length);
        }
        readFully(packed, (int) length);
        if (block.length < unpacked) {
            block = larger(block, (int) unpacked);
        }
        int written = ZstdContexts.unpack(packed, 0, (int) length, block, (int) unpacked);
        if (written != unpacked) {
            throw new ZipException("a block cannot be unpacked");
        }
        at = 0;
        to = written;
    }

    private byte[] larger(byte[] before, int length) {
        memory.give(before.length);
        memory.take(length);
        return new byte[length];
    }

    private void readFully(byte[] target, int length) throws IOException {
        if (body.readNBytes(target, 0, length) < length) {
            throw new ZipException("the stream stops before its last block");
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
