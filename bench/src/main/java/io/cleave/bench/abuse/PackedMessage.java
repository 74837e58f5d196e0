package io.cleave.bench.abuse;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// A message of many equal bytes, compressed by gzip to a thousandth. The equal part is compressed
/// only once, whatever follows it.
final class PackedMessage {
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};
    private static final int CHUNK_BYTES = 64 << 10;

    private final byte[] head;
    private final byte[] chunk;
    private final int chunks;
    private final byte[] packed;

    /// `head`, followed by repetitions of `unit` up to `bytes`, in whole chunks.
    PackedMessage(byte[] head, byte[] unit, int bytes) {
        this.head = head;
        this.chunk = new byte[CHUNK_BYTES];
        for (int at = 0; at < CHUNK_BYTES; at++) {
            chunk[at] = unit[at % unit.length];
        }
        this.chunks = bytes / CHUNK_BYTES;
        var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        var output = new ByteArrayOutputStream();
        output.writeBytes(GZIP_HEADER);
        pack(deflater, head, Deflater.NO_FLUSH, output);
        for (int index = 1; index <= chunks; index++) {
            // A full flush ends at a byte boundary, and what follows does not refer to earlier
            // data.
            pack(deflater, chunk, index == chunks ? Deflater.FULL_FLUSH : 0, output);
        }
        deflater.end();
        this.packed = output.toByteArray();
    }

    /// The size rounded down to whole chunks.
    static int wholeBytes(int bytes) {
        return bytes / CHUNK_BYTES * CHUNK_BYTES;
    }

    byte[] endingWith(byte[] tail) {
        var output = new ByteArrayOutputStream();
        output.writeBytes(packed);
        var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.finish();
        pack(deflater, tail, Deflater.NO_FLUSH, output);
        deflater.end();
        var checksum = new CRC32();
        checksum.update(head);
        for (int index = 0; index < chunks; index++) {
            checksum.update(chunk);
        }
        checksum.update(tail);
        int bytes = head.length + chunks * CHUNK_BYTES + tail.length;
        ByteBuffer trailer = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        output.writeBytes(trailer.putInt((int) checksum.getValue()).putInt(bytes).array());
        return output.toByteArray();
    }

    private static void pack(
            Deflater deflater, byte[] bytes, int flush, ByteArrayOutputStream output) {
        deflater.setInput(bytes);
        byte[] some = new byte[CHUNK_BYTES];
        int count;
        do {
            count = deflater.deflate(some, 0, some.length, flush);
            output.write(some, 0, count);
        } while (count == some.length);
    }
}
