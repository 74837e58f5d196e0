package io.cleave.log;

import io.cleave.base.Bytes;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// What stands before each record in a segment. Little-endian.
///
/// ```
///  0  u32  checksum   CRC32C of all that follows, the record included
///  4  u32  length     bytes of the record
///  8  u64  position   of the record
/// 16  u32  group      how many records of its group stand before it: position - group is the
///                     group's first, and everything before that was synced before this was written
/// 20  ...  the record
/// ```
final class RecordHeader {
    static final int CHECKSUM = 0;
    static final int LENGTH = CHECKSUM + 4;
    static final int POSITION = LENGTH + 4;
    static final int GROUP = POSITION + 8;
    static final int BYTES = GROUP + 4;

    /// Larger lengths are refused when writing and taken for damage when reading.
    static final int MAX_PAYLOAD = 256 << 20;

    private RecordHeader() {}

    /// Fills `header`, which is little-endian and backed by an array, and leaves it ready to be
    /// read from 0.
    static void write(ByteBuffer header, long position, int group, Bytes record) {
        header.clear();
        header.putInt(LENGTH, record.length());
        header.putLong(POSITION, position);
        header.putInt(GROUP, group);
        var checksum = new CRC32C();
        checksum.update(header.array(), LENGTH, BYTES - LENGTH);
        checksum.update(record.array(), 0, record.length());
        header.putInt(CHECKSUM, (int) checksum.getValue());
    }

    static boolean plausibleLength(int length) {
        return length >= 0 && length <= MAX_PAYLOAD;
    }

    /// Whether a whole record with a right checksum stands at `from` of `bytes`, of which `to` is
    /// the end.
    static boolean isWhole(ByteBuffer bytes, int from, int to) {
        if (to - from < BYTES) {
            return false;
        }
        int length = bytes.getInt(from + LENGTH);
        if (!plausibleLength(length) || to - from - BYTES < length) {
            return false;
        }
        var checksum = new CRC32C();
        checksum.update(bytes.slice(from + LENGTH, BYTES - LENGTH + length));
        return (int) checksum.getValue() == bytes.getInt(from + CHECKSUM);
    }
}
