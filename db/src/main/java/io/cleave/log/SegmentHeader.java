package io.cleave.log;

import io.cleave.base.CorruptionException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The first bytes of a segment file. Little-endian.
///
/// ```
///  0  u32  magic           a segment of a commit log
///  4  u32  format          2; a change of the layout of header or records is a new number.
///                          format 1 had no marks and no holes; it is still read
///  8  u64  epoch           of the writer: see LogWriter
/// 16  u64  first_position  of the first record, if there is one
/// 24  u32  checksum        CRC32C of bytes 0..24
/// ```
record SegmentHeader(long epoch, long firstPosition) {
    static final int FORMAT = 2;
    private static final int OLDEST_FORMAT = 1;
    static final int BYTES = 4 + 4 + 8 + 8 + 4;
    private static final int MAGIC = 'C' | 'L' << 8 | 'O' << 16 | 'G' << 24;
    private static final int CHECKSUM = BYTES - 4;

    ByteBuffer encode() {
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(FORMAT).putLong(epoch).putLong(firstPosition);
        return bytes.putInt(checksum(bytes)).flip();
    }

    static boolean isWhole(ByteBuffer bytes) {
        return bytes.remaining() >= BYTES
                && bytes.getInt(0) == MAGIC
                && bytes.getInt(CHECKSUM) == checksum(bytes);
    }

    static SegmentHeader decode(String file, ByteBuffer bytes) {
        if (!isWhole(bytes)) {
            throw new CorruptionException(file, 0, "not the header of a log segment");
        }
        int format = bytes.getInt(4);
        if (format < OLDEST_FORMAT || format > FORMAT) {
            throw new LogException(
                    file + " has format " + format + "; this program reads formats up to " + FORMAT,
                    null);
        }
        return new SegmentHeader(bytes.getLong(8), bytes.getLong(16));
    }

    private static int checksum(ByteBuffer bytes) {
        var checksum = new CRC32C();
        checksum.update(bytes.slice(0, CHECKSUM));
        return (int) checksum.getValue();
    }
}
