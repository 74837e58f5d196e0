package io.cleave.lsm.table;

import io.cleave.base.ByteWriter;
import io.cleave.base.CorruptionException;
import io.cleave.base.LittleEndian;
import io.cleave.blob.BlobReader;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// Encodes and decodes a block of a table file: compressed if that saves enough space, and with a
/// checksum.
///
/// ```
/// the bytes, compressed or not
/// u8   compression   0 none, 1 LZ4
/// u32  raw_length    bytes once decompressed
/// u32  checksum      CRC32C of all before
/// ```
///
/// Little-endian. Threads: any.
final class BlockCodec {
    static final int TRAILER_BYTES = 1 + 4 + 4;

    /// No block is longer. A larger length is damage, and must not cause an allocation of that
    /// size.
    private static final int MAX_RAW_BYTES = 1 << 30;

    /// A block is stored compressed only if that saves at least 1/8 of its bytes.
    private static final int SAVES_ONE_IN = 8;

    /// Looked up once, because the library takes a lock for every lookup.
    private static final LZ4Factory LZ4 = LZ4Factory.fastestInstance();

    private final LZ4Compressor compressor = LZ4.fastCompressor();
    private final LZ4SafeDecompressor decompressor = LZ4.safeDecompressor();

    /// Encodes one block after another. Threads: one.
    final class Encoder {
        private byte[] stored = new byte[0];

        /// The returned buffer is valid until the next call.
        ByteBuffer encode(ByteWriter raw, Compression compression) {
            int rawBytes = raw.length();
            int most = Math.max(compressor.maxCompressedLength(rawBytes), rawBytes);
            if (stored.length < most + TRAILER_BYTES) {
                stored = new byte[most + TRAILER_BYTES];
            }
            int storedBytes = rawBytes;
            Compression used = Compression.NONE;
            if (compression == Compression.LZ4) {
                int compressed = compressor.compress(raw.array(), 0, rawBytes, stored, 0, most);
                if (compressed <= rawBytes - rawBytes / SAVES_ONE_IN) {
                    storedBytes = compressed;
                    used = Compression.LZ4;
                }
            }
            if (used == Compression.NONE) {
                System.arraycopy(raw.array(), 0, stored, 0, rawBytes);
            }
            stored[storedBytes] = used.code;
            LittleEndian.putInt(stored, storedBytes + 1, rawBytes);
            var checksum = new CRC32C();
            checksum.update(stored, 0, storedBytes + 1 + 4);
            LittleEndian.putInt(stored, storedBytes + 1 + 4, (int) checksum.getValue());
            return ByteBuffer.wrap(stored, 0, storedBytes + TRAILER_BYTES);
        }
    }

    /// Reads the block at `[offset, offset + length)` and verifies its checksum.
    byte[] decode(BlobReader blob, long offset, int length) {
        if (length < TRAILER_BYTES) {
            throw new CorruptionException(blob.name(), offset, "a block of " + length + " bytes");
        }
        return decode(blob, offset, blob.read(offset, length));
    }

    /// Decodes a block whose stored bytes were read already. `blob` and `offset` are only for error
    /// messages.
    byte[] decode(BlobReader blob, long offset, ByteBuffer bytes) {
        int length = bytes.remaining();
        ByteBuffer stored = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        var checksum = new CRC32C();
        checksum.update(stored.slice(0, length - 4));
        if ((int) checksum.getValue() != stored.getInt(length - 4)) {
            throw new CorruptionException(blob.name(), offset, "the block's checksum is wrong");
        }
        int storedBytes = length - TRAILER_BYTES;
        int rawBytes = stored.getInt(storedBytes + 1);
        int compression = stored.get(storedBytes);
        if (rawBytes < 0 || rawBytes > MAX_RAW_BYTES) {
            throw new CorruptionException(blob.name(), offset, "a raw length of " + rawBytes);
        }
        byte[] raw = new byte[rawBytes];
        if (compression == Compression.NONE.code && rawBytes == storedBytes) {
            stored.get(0, raw);
        } else if (compression != Compression.LZ4.code || !decompress(stored, storedBytes, raw)) {
            throw new CorruptionException(
                    blob.name(), offset, "cannot decompress (" + compression + ")");
        }
        return raw;
    }

    private boolean decompress(ByteBuffer stored, int storedBytes, byte[] raw) {
        try {
            return decompressor.decompress(
                            stored, 0, storedBytes, ByteBuffer.wrap(raw), 0, raw.length)
                    == raw.length;
        } catch (LZ4Exception e) {
            return false;
        }
    }
}
