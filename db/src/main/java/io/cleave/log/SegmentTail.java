package io.cleave.log;

import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Brings the last segment of a log to a clean end after a crash.
///
/// The group that was being written when the crash came may be there in any part: cut off, or with
/// holes, for a disk writes pages in its own order. It was never acknowledged, and is cut. Anything
/// before it was synced; if that is damaged it is corruption, and stays as it is. Which of the two
/// a bad record belongs to is told by the records behind it: one that names a later group as its
/// own was written after the bad one had been synced. Zeroes that the writer had put ahead of its
/// records are cut like a torn group.
final class SegmentTail {
    private SegmentTail() {}

    enum Place {
        LAST,
        /// Another segment was about to begin, and that is done when all of this one is synced.
        FOLLOWED
    }

    /// Returns the position after the last whole record. All that is left is durable then, also
    /// what the crash had left in the page cache only.
    static long recover(Disk disk, Segment segment, Place place) throws IOException {
        try (var reader = new SegmentReader(disk, segment);
                DiskFile file = disk.openToAppend(segment.file())) {
            SegmentReader.Step step = reader.next();
            while (step == SegmentReader.Step.RECORD) {
                step = reader.next();
            }
            if (step == SegmentReader.Step.BAD) {
                if (place == Place.FOLLOWED || syncedRecordFollows(disk, segment, reader)) {
                    throw reader.corruption(
                            "record "
                                    + reader.nextPosition()
                                    + " is damaged; newer ones follow it");
                }
                file.truncate(reader.fileOffset());
            }
            rewriteLastGroup(file, reader);
            file.force();
            return reader.nextPosition();
        }
    }

    /// All groups before were forced; of this one the force may have failed, and the machine may
    /// have gone on: it then shows what it has not written, and forcing alone would not write it.
    private static void rewriteLastGroup(DiskFile file, SegmentReader reader) throws IOException {
        long offset = reader.groupOffset();
        var group = ByteBuffer.allocate(Math.toIntExact(reader.fileOffset() - offset));
        file.readFully(group, offset);
        file.rewrite(group.flip(), offset);
    }

    /// Whether there are only zeroes from an offset on, as [SegmentWriter] leaves them.
    static boolean isBlank(Disk disk, Segment segment, long fileOffset) throws IOException {
        try (var arena = Arena.ofConfined()) {
            MemorySegment rest = disk.map(segment.file(), arena).asSlice(fileOffset);
            for (long offset = 0; offset < rest.byteSize(); offset++) {
                if (rest.get(ValueLayout.JAVA_BYTE, offset) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /// Looks at every offset: a damaged length leads nowhere.
    static boolean syncedRecordFollows(Disk disk, Segment segment, SegmentReader bad)
            throws IOException {
        long badPosition = bad.nextPosition();
        try (var arena = Arena.ofConfined()) {
            ByteBuffer bytes =
                    disk.map(segment.file(), arena)
                            .asSlice(bad.fileOffset())
                            .asByteBuffer()
                            .order(ByteOrder.LITTLE_ENDIAN);
            int limit = bytes.limit();
            long mostRecords = limit / RecordHeader.BYTES + 1L;
            for (int offset = 0; offset + RecordHeader.BYTES <= limit; offset++) {
                long position = bytes.getLong(offset + RecordHeader.POSITION);
                if (position <= badPosition || position > badPosition + mostRecords) {
                    continue;
                }
                long groupFirst = position - bytes.getInt(offset + RecordHeader.GROUP);
                if (groupFirst > badPosition && RecordHeader.isWhole(bytes, offset, limit)) {
                    return true;
                }
            }
            return false;
        }
    }
}
