package io.cleave.log;

import io.cleave.base.Bytes;
import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Writes groups of records to one segment. [SegmentTail] relies on this: a group is written only
/// after the group before it was forced.
///
/// If a small group would extend the file, zeros are written after it, and the following groups
/// overwrite them. A disk syncs overwritten bytes faster than a longer file, for which it must also
/// store the new length. When the segment ends, the remaining zeros are cut off.
final class SegmentWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    /// Groups up to this size are followed by zeros. For larger groups, the sync is the smaller
    /// part of the work, and writing every byte twice costs more than it saves: with 16 KiB, a load
    /// in batches of 12 KiB wrote a third more bytes and took a sixth more CPU time.
    private static final int SMALL_BYTES = 8 << 10;

    private final Disk disk;
    private final Path path;
    private final DiskFile file;

    /// No record starts after this offset, so zeros after it would be useless.
    private final long fullBytes;

    private final ByteBuffer header =
            ByteBuffer.allocate(RecordHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    /// The offset of the next record. From here to the end of the file there are zeros.
    private long segmentBytes;

    private long fileBytes;

    /// False while a group is being written, and permanently after that has failed.
    private boolean isWhole = true;

    /// Whether a group was removed and the truncation is not forced yet, so that a crash could
    /// bring parts of the group back.
    private boolean isCutUnforced;

    SegmentWriter(Disk disk, Segment segment, long fullBytes) throws IOException {
        this.fullBytes = fullBytes;
        this.disk = disk;
        path = segment.file();
        file = disk.openToAppend(path);
        segmentBytes = file.size();
        fileBytes = segmentBytes;
    }

    /// The size of the header and all frames.
    long segmentBytes() {
        return segmentBytes;
    }

    /// Writes and syncs a group.
    void commit(long firstPosition, List<Bytes> records) throws IOException {
        isWhole = false;
        long from = segmentBytes;
        int last;
        boolean isForced;
        try {
            for (int index = 0; index < records.size(); index++) {
                Bytes record = records.get(index);
                RecordHeader.write(header, firstPosition + index, index, record);
                put(header);
                put(ByteBuffer.wrap(record.array()));
            }
            last = buffer.position();
            // A group that was written in several parts must be forced as a whole.
            isForced = segmentBytes == from && segmentBytes + last <= fileBytes;
            if (!isForced) {
                if (last <= SMALL_BYTES) {
                    addZeroes(Math.min(BUFFER_BYTES, fullBytes - segmentBytes));
                }
                file.write(buffer.flip(), segmentBytes);
                fileBytes = Math.max(fileBytes, segmentBytes + buffer.limit());
            }
        } catch (IOException e) {
            throw NoRoomException.isReason(e, disk, path) ? takenBack(from, e) : e;
        }
        if (isForced) {
            file.writeForced(buffer.flip(), segmentBytes);
        } else {
            file.force();
        }
        isCutUnforced = false;
        buffer.clear();
        segmentBytes += last;
        isWhole = true;
    }

    /// Removes a group of which nothing was synced, together with the zeros. If that fails, it is
    /// unknown what the file has.
    private NoRoomException takenBack(long from, IOException cause) throws IOException {
        try {
            file.truncate(from);
        } catch (IOException e) {
            cause.addSuppressed(e);
            throw cause;
        }
        buffer.clear();
        segmentBytes = from;
        fileBytes = from;
        isCutUnforced = true;
        isWhole = true;
        return new NoRoomException(cause);
    }

    /// Writes and syncs a mark: everything before this position is synced. If there is no room for
    /// the mark, it is left out, and the next group takes its place.
    void mark(long syncedEnd) throws IOException {
        RecordHeader.write(header, RecordHeader.MARK, syncedEnd);
        if (segmentBytes + RecordHeader.BYTES <= fileBytes) {
            file.writeForced(header, segmentBytes);
        } else {
            // Set even if only a part is written: bytes after the last record are cut off when the
            // segment ends.
            fileBytes = segmentBytes + RecordHeader.BYTES;
            try {
                file.write(header, segmentBytes);
            } catch (IOException e) {
                return; // no room for the mark
            }
            file.force();
        }
        segmentBytes += RecordHeader.BYTES;
    }

    /// Fills the buffer with zeros up to this size.
    private void addZeroes(long upTo) {
        if (upTo > buffer.position()) {
            Arrays.fill(buffer.array(), buffer.position(), (int) upTo, (byte) 0);
            buffer.position((int) upTo);
        }
    }

    private void put(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (!buffer.hasRemaining()) {
                drain();
            }
            int part = Math.min(bytes.remaining(), buffer.remaining());
            buffer.put(buffer.position(), bytes, bytes.position(), part);
            buffer.position(buffer.position() + part);
            bytes.position(bytes.position() + part);
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        file.write(buffer, segmentBytes);
        segmentBytes += buffer.limit();
        fileBytes = Math.max(fileBytes, segmentBytes);
        buffer.clear();
    }

    /// Cuts off the zeros. After a failure it is unknown what the file has, and the repair is left
    /// to [SegmentTail].
    @Override
    public void close() throws IOException {
        try (file) {
            if (isWhole && (segmentBytes < fileBytes || isCutUnforced)) {
                file.truncate(segmentBytes);
                fileBytes = segmentBytes;
                file.force();
                isCutUnforced = false;
            }
        }
    }
}
