package io.cleave.log;

import io.cleave.base.Bytes;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The header of each record in a segment. Little-endian.
///
/// ```
///  0  u32  checksum   CRC32C of all that follows, the record included
///  4  u32  length     bytes of the record; -1 is a mark, -2 a hole: see below
///  8  u64  position   of the record
/// 16  u32  group      number of records of its group before it: position - group is the
///                     group's first, and everything before that was synced before this was written
/// 20  ...  the record
/// ```
///
/// Two other kinds of frames have the same header, no bytes after it and a group of 0. A *mark*
/// says that everything before its position was synced before the mark was written. A *hole* says
/// that the records before its position are lost, and that the operator accepted this. Format 1 has
/// neither.
final class RecordHeader {
    static final int CHECKSUM = 0;
    static final int LENGTH = CHECKSUM + 4;
    static final int POSITION = LENGTH + 4;
    static final int GROUP = POSITION + 8;
    static final int BYTES = GROUP + 4;

    /// Values of the length field that mark other frames.
    static final int MARK = -1;

    static final int HOLE = -2;

    /// Larger records are rejected; a larger length that is read is damage.
    static final int MAX_PAYLOAD = 256 << 20;

    private RecordHeader() {}

    /// Fills `header`, which is little-endian, and sets its position to 0.
    static void write(ByteBuffer header, long position, int group, Bytes record) {
        header.clear();
        header.putInt(LENGTH, record.length());
        header.putLong(POSITION, position);
        header.putInt(GROUP, group);
        var checksum = new CRC32C();
        checksum.update(header.position(LENGTH));
        checksum.update(record.array(), 0, record.length());
        header.putInt(CHECKSUM, (int) checksum.getValue()).position(0);
    }

    /// Fills `header` for a mark or a hole.
    static void write(ByteBuffer header, int kind, long position) {
        header.clear();
        header.putInt(LENGTH, kind);
        header.putLong(POSITION, position);
        header.putInt(GROUP, 0);
        var checksum = new CRC32C();
        checksum.update(header.position(LENGTH));
        header.putInt(CHECKSUM, (int) checksum.getValue()).position(0);
    }

    static boolean isRecord(int length) {
        return length >= 0;
    }

    /// The size of a frame with this length field, header included.
    static int frameBytes(int length) {
        return BYTES + Math.max(0, length);
    }

    static boolean plausibleLength(int length) {
        return length >= HOLE && length <= MAX_PAYLOAD;
    }

    /// Whether a complete frame with a correct checksum is at `from` of `bytes`, which end at `to`.
    static boolean isWhole(ByteBuffer bytes, int from, int to) {
        if (to - from < BYTES) {
            return false;
        }
        int length = bytes.getInt(from + LENGTH);
        if (!plausibleLength(length) || to - from < frameBytes(length)) {
            return false;
        }
        var checksum = new CRC32C();
        checksum.update(bytes.slice(from + LENGTH, frameBytes(length) - LENGTH));
        return (int) checksum.getValue() == bytes.getInt(from + CHECKSUM);
    }
}
