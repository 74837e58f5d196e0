package io.cleave.yt.format;

import io.cleave.base.LittleEndian;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// Writes a stream of compressed blocks. [BlockStream] describes the format.
///
/// Threads: one at a time.
final class BlockOutput extends OutputStream {
    private static final int BLOCK_BYTES = 64 << 10;

    private final ZstdCodec codec;
    private final OutputStream target;
    private final byte[] block = new byte[BLOCK_BYTES];
    private final byte[] packed =
            new byte
                    [BlockStream.HEADER_BYTES
                            + Long.BYTES
                            + ZstdContexts.maxCompressedBytes(BLOCK_BYTES)];
    private int length;
    private boolean closed;

    BlockOutput(ZstdCodec codec, OutputStream target) {
        this.codec = codec;
        this.target = target;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] data, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, data.length);
        int from = offset;
        int left = count;
        while (left > 0) {
            int part = Math.min(left, BLOCK_BYTES - length);
            System.arraycopy(data, from, block, length, part);
            length += part;
            from += part;
            left -= part;
            if (length == BLOCK_BYTES) {
                writeBlock();
            }
        }
    }

    /// Sends the bytes that were written, so that the client can read them.
    @Override
    public void flush() throws IOException {
        if (length > 0) {
            writeBlock();
        }
        target.flush();
    }

    private void writeBlock() throws IOException {
        int dataAt = BlockStream.HEADER_BYTES + Long.BYTES;
        int bytes = ZstdContexts.compress(block, length, packed, dataAt, codec.level());
        writePacked(length, bytes);
        length = 0;
    }

    private void writePacked(int unpackedBytes, int bytes) throws IOException {
        LittleEndian.putShort(packed, 0, codec.id());
        LittleEndian.putLong(packed, Short.BYTES, Long.BYTES + bytes);
        LittleEndian.putLong(packed, BlockStream.UNPACKED_AT, unpackedBytes);
        target.write(packed, 0, BlockStream.HEADER_BYTES + Long.BYTES + bytes);
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (length > 0) {
            writeBlock();
        }
        // An empty block ends the stream.
        writePacked(0, 0);
        target.close();
    }
}
