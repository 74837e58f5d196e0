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

/// Writes groups of records to one segment, one behind the other. What is a group here is what
/// [SegmentTail] relies on: the one before must have been forced.
///
/// A small group that would make the file longer brings zeroes with it, and the groups after it are
/// written over them: a disk syncs bytes that are there already sooner than a longer file, whose
/// length has to be noted, too. When the segment ends, what is left of the zeroes is cut off.
final class SegmentWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    /// Groups up to this bring zeroes. For larger ones the sync is the smaller part of the work,
    /// and to write every byte twice a larger one.
    private static final int SMALL_BYTES = 16 << 10;

    private final Disk disk;
    private final Path path;
    private final DiskFile file;

    /// Past this no record begins, and zeroes would be for nothing.
    private final long fullBytes;

    private final ByteBuffer header =
            ByteBuffer.allocate(RecordHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    /// Where the next record goes. From here to the end of the file there are zeroes.
    private long segmentBytes;

    private long fileBytes;

    /// False while a group is being written, and for ever after that has failed.
    private boolean isWhole = true;

    /// A group was taken back, and a crash could still bring parts of it back.
    private boolean isCutUnforced;

    SegmentWriter(Disk disk, Segment segment, long fullBytes) throws IOException {
        this.fullBytes = fullBytes;
        this.disk = disk;
        path = segment.file();
        file = disk.openToAppend(path);
        segmentBytes = file.size();
        fileBytes = segmentBytes;
    }

    /// Header and records.
    long segmentBytes() {
        return segmentBytes;
    }

    /// Writes the group and syncs it.
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
            // Of a group that went in parts all must be forced.
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

    /// Nothing of the group was synced, so the segment ends where it did before, and the zeroes are
    /// given back, too. If that cannot be done, nobody knows what is there.
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

    /// Writes and syncs that everything before this position is synced. When it cannot be written
    /// there is none, and the next group goes to its place.
    void mark(long syncedEnd) throws IOException {
        RecordHeader.write(header, RecordHeader.MARK, syncedEnd);
        if (segmentBytes + RecordHeader.BYTES <= fileBytes) {
            file.writeForced(header, segmentBytes);
        } else {
            // Also if only a part of it gets there: what is behind the last record is cut at the
            // end.
            fileBytes = segmentBytes + RecordHeader.BYTES;
            try {
                file.write(header, segmentBytes);
            } catch (IOException e) {
                return; // no room for it
            }
            file.force();
        }
        segmentBytes += RecordHeader.BYTES;
    }

    /// Up to so many bytes in the buffer.
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

    /// After a failure nobody knows what is there, and it is left to [SegmentTail].
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
