package io.cleave.lsm;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The last 32 bytes of a table file; a reader begins here. Little-endian.
///
/// ```
///  0  u64  index_offset        where the index block starts: the end of the data blocks
///  8  u32  index_length        its bytes, trailer included
/// 12  u32  statistics_length   bytes of the block behind it, up to this footer
/// 16  u32  format              1; a change of any part of a table file is a new number
/// 20  u32  checksum            CRC32C of bytes 0..20
/// 24  u64  magic               a table file
/// ```
record Footer(long indexOffset, int indexLength, int statisticsLength) {
    static final int BYTES = 8 + 4 + 4 + 4 + 4 + 8;
    static final int FORMAT = 1;
    private static final int CHECKSUM = 20;

    /// "CLVTABLE", read as bytes.
    private static final long MAGIC = 0x454c_4241_5456_4c43L;

    long statisticsOffset() {
        return indexOffset + indexLength;
    }

    ByteBuffer encode() {
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(indexOffset).putInt(indexLength).putInt(statisticsLength).putInt(FORMAT);
        return bytes.putInt(checksum(bytes)).putLong(MAGIC).flip();
    }

    static Footer read(BlobReader blob) {
        long offset = blob.size() - BYTES;
        if (offset < 0) {
            throw new CorruptionException(blob.name(), 0, "too short for a table file");
        }
        ByteBuffer bytes = blob.read(offset, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getLong(24) != MAGIC) {
            throw new CorruptionException(blob.name(), offset + 24, "not a table file");
        }
        if (bytes.getInt(CHECKSUM) != checksum(bytes)) {
            throw new CorruptionException(blob.name(), offset, "the footer's checksum is wrong");
        }
        if (bytes.getInt(16) != FORMAT) {
            throw new CorruptionException(
                    blob.name(), offset + 16, "format " + bytes.getInt(16) + " is not known here");
        }
        var footer = new Footer(bytes.getLong(0), bytes.getInt(8), bytes.getInt(12));
        if (footer.statisticsOffset() + footer.statisticsLength != offset) {
            throw new CorruptionException(blob.name(), offset, "the parts do not add up");
        }
        return footer;
    }

    private static int checksum(ByteBuffer bytes) {
        var checksum = new CRC32C();
        checksum.update(bytes.slice(0, CHECKSUM));
        return (int) checksum.getValue();
    }
}
