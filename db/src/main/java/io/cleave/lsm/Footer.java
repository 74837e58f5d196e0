package io.cleave.lsm;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The last 28 bytes of a table file; a reader begins here. Little-endian.
///
/// ```
///  0  u64  meta_offset   where the meta block starts
///  8  u32  meta_length   its bytes, up to this footer
/// 12  u32  format        1; a change of any part of a table file is a new number
/// 16  u32  checksum      CRC32C of bytes 0..16
/// 20  u64  magic         a table file
/// ```
record Footer(long metaOffset, int metaLength) {
    static final int BYTES = 8 + 4 + 4 + 4 + 8;
    static final int FORMAT = 1;
    private static final int FORMAT_AT = 12;
    private static final int CHECKSUM_AT = 16;
    private static final int MAGIC_AT = 20;

    /// "CLVTABLE", read as bytes.
    private static final long MAGIC = 0x454c_4241_5456_4c43L;

    ByteBuffer encode() {
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(metaOffset).putInt(metaLength).putInt(FORMAT);
        return bytes.putInt(checksum(bytes)).putLong(MAGIC).flip();
    }

    static Footer read(BlobReader blob) {
        long offset = blob.size() - BYTES;
        if (offset < 0) {
            throw new CorruptionException(blob.name(), 0, "too short for a table file");
        }
        ByteBuffer bytes = blob.read(offset, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getLong(MAGIC_AT) != MAGIC) {
            throw new CorruptionException(blob.name(), offset + MAGIC_AT, "not a table file");
        }
        if (bytes.getInt(CHECKSUM_AT) != checksum(bytes)) {
            throw new CorruptionException(blob.name(), offset, "the footer's checksum is wrong");
        }
        int format = bytes.getInt(FORMAT_AT);
        if (format != FORMAT) {
            throw new CorruptionException(
                    blob.name(), offset + FORMAT_AT, "format " + format + " is not known here");
        }
        var footer = new Footer(bytes.getLong(0), bytes.getInt(8));
        if (footer.metaOffset + footer.metaLength != offset) {
            throw new CorruptionException(blob.name(), offset, "the parts do not add up");
        }
        return footer;
    }

    private static int checksum(ByteBuffer bytes) {
        var checksum = new CRC32C();
        checksum.update(bytes.slice(0, CHECKSUM_AT));
        return (int) checksum.getValue();
    }
}
