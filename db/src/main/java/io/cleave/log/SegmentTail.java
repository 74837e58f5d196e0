package io.cleave.log;

import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;
import io.cleave.log.SegmentReader.Step;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Repairs the end of the last segment of a log after a crash.
///
/// The group that was being written at the time of the crash may be there in part: cut off, or with
/// gaps, since a disk writes pages in any order. It was never acknowledged, and is cut off.
/// Everything before it was synced; damage there is corruption, and is left unchanged.
///
/// The frames after a bad record tell which of the two it is. A record that belongs to a later
/// group, or a mark with a later position, was written after the bad record had been synced. If the
/// expected record is one header further on, the bad frame is a mark, which was synced as well.
/// Zeros that the writer had written ahead of its records are cut off like a torn group.
final class SegmentTail {
    private final Disk disk;
    private final Segment segment;
    private final OnDamage onDamage;

    SegmentTail(Disk disk, Segment segment, OnDamage onDamage) {
        this.disk = disk;
        this.segment = segment;
        this.onDamage = onDamage;
    }

    /// The position after the last complete record, and what was cut off, if it was more than
    /// zeros.
    record Recovered(long nextPosition, LogLoss.@Nullable Torn torn) {}

    /// Repairs the segment. `followedAt` is the first position of a next segment whose creation was
    /// interrupted; -1 if there is none. A next segment is created only after all of this one is
    /// synced. When this returns, all remaining records are durable, including those that were only
    /// in the page cache after the crash.
    Recovered recover(long followedAt) throws IOException {
        try (var reader = new SegmentReader(disk, segment);
                DiskFile file = disk.openToAppend(segment.file())) {
            Step step = reader.next();
            while (step == Step.RECORD) {
                step = reader.next();
            }
            LogLoss.Torn torn = null;
            if (step == Step.BAD) {
                long synced = syncedEnd(disk, segment, reader);
                if (followedAt >= 0 || synced >= 0) {
                    throw reader.corruption(damaged(reader.nextPosition(), followedAt, synced));
                }
                torn = keepTorn(reader);
                file.truncate(reader.fileOffset());
            }
            rewriteLastGroup(file, reader);
            file.force();
            return new Recovered(reader.nextPosition(), torn);
        }
    }

    /// The message for a bad record. `syncedEnd` is the result of [#syncedEnd], and `followedAt`
    /// the first position of the next segment; -1 if unknown.
    static String damaged(long position, long followedAt, long syncedEnd) {
        return syncedEnd == position && followedAt <= position
                ? "a mark before record %d is damaged; no record would be lost".formatted(position)
                : damaged(position, Math.max(followedAt, syncedEnd));
    }

    /// The message for a bad record if all records before `syncedEnd` were synced.
    static String damaged(long position, long syncedEnd) {
        return "record %d is damaged although it was synced; %s would be lost"
                .formatted(
                        position,
                        syncedEnd > position
                                ? LogLoss.records(position, syncedEnd) + " at the most"
                                : "it and those behind it");
    }

    private LogLoss.@Nullable Torn keepTorn(SegmentReader reader) throws IOException {
        try (var arena = Arena.ofConfined()) {
            MemorySegment rest = disk.map(segment.file(), arena).asSlice(reader.fileOffset());
            long bytes = withoutZeroes(rest);
            if (bytes == 0) {
                return null;
            }
            if (onDamage != OnDamage.LOOK) {
                new LostBytes(disk, segment.folder())
                        .keep(
                                segment.file(),
                                reader.fileOffset(),
                                rest.asSlice(0, bytes).asByteBuffer());
            }
            return new LogLoss.Torn(
                    segment.file().toString(), reader.fileOffset(), bytes, reader.nextPosition());
        }
    }

    private static long withoutZeroes(MemorySegment bytes) {
        long end = bytes.byteSize();
        while (end > 0 && bytes.get(ValueLayout.JAVA_BYTE, end - 1) == 0) {
            end--;
        }
        return end;
    }

    /// Writes the last group again. All groups before it were forced, but the force of this one may
    /// have failed while the machine kept running. The page cache then shows bytes that are not on
    /// the disk, and another force alone would not write them.
    private static void rewriteLastGroup(DiskFile file, SegmentReader reader) throws IOException {
        long offset = reader.groupOffset();
        var group = ByteBuffer.allocate(Math.toIntExact(reader.fileOffset() - offset));
        file.readFully(group, offset);
        file.rewrite(group.flip(), offset);
    }

    /// Whether the segment has only zeros from this offset on, as [SegmentWriter] leaves them.
    static boolean isBlank(Disk disk, Segment segment, long fileOffset) throws IOException {
        try (var arena = Arena.ofConfined()) {
            return withoutZeroes(disk.map(segment.file(), arena).asSlice(fileOffset)) == 0;
        }
    }

    /// The greatest position before which everything was synced, as proved by frames after a bad
    /// record; -1 if nothing proves that. It is the position of the bad record itself if that is a
    /// mark. Looks at every offset, since a damaged length does not lead to the next frame.
    static long syncedEnd(Disk disk, Segment segment, SegmentReader bad) throws IOException {
        try (var arena = Arena.ofConfined()) {
            ByteBuffer bytes =
                    disk.map(segment.file(), arena)
                            .asSlice(bad.fileOffset())
                            .asByteBuffer()
                            .order(ByteOrder.LITTLE_ENDIAN);
            return syncedEnd(bytes, bad.nextPosition());
        }
    }

    /// Like the method above, for the bytes from the bad record on.
    static long syncedEnd(ByteBuffer bytes, long badPosition) {
        int limit = bytes.limit();
        long mostRecords = limit / RecordHeader.BYTES + 1L;
        long found = isBehindMark(bytes, RecordHeader.BYTES, badPosition) ? badPosition : -1;
        for (int offset = 0; offset + RecordHeader.BYTES <= limit; offset++) {
            long position = bytes.getLong(offset + RecordHeader.POSITION);
            if (position <= badPosition || position > badPosition + mostRecords) {
                continue;
            }
            long groupFirst = position - bytes.getInt(offset + RecordHeader.GROUP);
            if (groupFirst > badPosition
                    && groupFirst > found
                    && RecordHeader.isWhole(bytes, offset, limit)) {
                found = groupFirst;
            }
        }
        return found;
    }

    /// Whether the record with this position is at the offset, so that the bad frame before it may
    /// be a mark.
    static boolean isBehindMark(ByteBuffer bytes, int offset, long position) {
        return bytes.limit() - offset >= RecordHeader.BYTES
                && bytes.getLong(offset + RecordHeader.POSITION) == position
                && RecordHeader.isRecord(bytes.getInt(offset + RecordHeader.LENGTH))
                && RecordHeader.isWhole(bytes, offset, bytes.limit());
    }
}
