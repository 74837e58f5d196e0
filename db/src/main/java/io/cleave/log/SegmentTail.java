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

/// Brings the last segment of a log to a clean end after a crash.
///
/// The group that was being written when the crash came may be there in any part: cut off, or with
/// holes, for a disk writes pages in its own order. It was never acknowledged, and is cut. Anything
/// before it was synced; if that is damaged it is corruption, and stays as it is. Which of the two
/// a bad record belongs to is told by what stands behind it: a record that names a later group as
/// its own, and a mark with a later end, were written after the bad one had been synced. Zeroes
/// that the writer had put ahead of its records are cut like a torn group.
final class SegmentTail {
    private final Disk disk;
    private final Segment segment;
    private final OnDamage onDamage;

    SegmentTail(Disk disk, Segment segment, OnDamage onDamage) {
        this.disk = disk;
        this.segment = segment;
        this.onDamage = onDamage;
    }

    /// The position after the last whole record, and what was cut off if it was not only zeroes.
    record Recovered(long nextPosition, LogLoss.@Nullable Torn torn) {}

    /// `followedAt` is the first position of a segment that was about to begin, which is done when
    /// all of this one is synced; -1 if there was none. All that is left is durable when it
    /// returns, also what the crash had left in the page cache only.
    Recovered recover(long followedAt) throws IOException {
        try (var reader = new SegmentReader(disk, segment);
                DiskFile file = disk.openToAppend(segment.file())) {
            Step step = reader.next();
            while (step == Step.RECORD) {
                step = reader.next();
            }
            LogLoss.Torn torn = null;
            if (step == Step.BAD) {
                long synced = Math.max(followedAt, syncedEnd(disk, segment, reader));
                if (followedAt >= 0 || synced > reader.nextPosition()) {
                    throw reader.corruption(damaged(reader.nextPosition(), synced));
                }
                torn = keepTorn(reader);
                file.truncate(reader.fileOffset());
            }
            rewriteLastGroup(file, reader);
            file.force();
            return new Recovered(reader.nextPosition(), torn);
        }
    }

    /// What is to be said of a bad record, when all before `syncedEnd` was written once.
    static String damaged(long position, long syncedEnd) {
        return "record %d is damaged, and was synced: %s would be lost"
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
            return withoutZeroes(disk.map(segment.file(), arena).asSlice(fileOffset)) == 0;
        }
    }

    /// The greatest position up to which whatever stands behind a bad record proves that all was
    /// synced; -1 if nothing does. Looks at every offset: a damaged length leads nowhere.
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

    /// The same of the bytes from the bad record on.
    static long syncedEnd(ByteBuffer bytes, long badPosition) {
        int limit = bytes.limit();
        long mostRecords = limit / RecordHeader.BYTES + 1L;
        long found = -1;
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
}
