package io.cleave.log;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Reads the records of one segment in order.
final class SegmentReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    enum Step {
        RECORD,
        /// The file ends right after the last record.
        END,
        /// The next bytes are not a complete record, or not the expected one.
        BAD
    }

    private final Segment segment;
    private final DiskFile file;

    /// From its position to its limit: the bytes of the file from `fileOffset` on.
    private ByteBuffer buffer = newBuffer(BUFFER_BYTES).limit(0);

    private long fileOffset = SegmentHeader.BYTES;
    private long groupOffset;
    private long nextPosition;
    private Bytes record = Bytes.EMPTY;

    SegmentReader(Disk disk, Segment segment) throws IOException {
        this.segment = segment;
        file = disk.open(segment.file());
        nextPosition = segment.firstPosition();
    }

    /// Moves to the next record. Skips marks; at a hole, continues with the record after it.
    Step next() throws IOException {
        while (true) {
            if (!buffered(RecordHeader.BYTES)) {
                return fileOffset == file.size() ? Step.END : Step.BAD;
            }
            int length = buffer.getInt(buffer.position() + RecordHeader.LENGTH);
            if (!RecordHeader.plausibleLength(length)
                    || !buffered(RecordHeader.frameBytes(length))) {
                return Step.BAD;
            }
            int from = buffer.position();
            long position = buffer.getLong(from + RecordHeader.POSITION);
            boolean isExpected =
                    length == RecordHeader.HOLE
                            ? position > nextPosition
                            : position == nextPosition;
            if (!isExpected || !RecordHeader.isWhole(buffer, from, buffer.limit())) {
                return Step.BAD;
            }
            if (RecordHeader.isRecord(length)) {
                take(from, length);
                return Step.RECORD;
            }
            nextPosition = position;
            pass(from + RecordHeader.BYTES);
        }
    }

    private void take(int from, int length) {
        int payload = from + RecordHeader.BYTES;
        if (buffer.getInt(from + RecordHeader.GROUP) == 0) {
            groupOffset = fileOffset;
        }
        byte[] copy = new byte[length];
        buffer.get(payload, copy);
        record = Bytes.wrap(copy);
        nextPosition++;
        pass(payload + length);
    }

    private void pass(int to) {
        fileOffset += to - buffer.position();
        buffer.position(to);
    }

    /// Discards bytes that were read ahead, which may be stale if they were being written at that
    /// time.
    void reload() {
        buffer.limit(buffer.position());
    }

    Segment segment() {
        return segment;
    }

    /// The offset of the next record.
    long fileOffset() {
        return fileOffset;
    }

    /// The offset of the group of the last record, which was forced last; 0, the header, if there
    /// is no record.
    long groupOffset() {
        return groupOffset;
    }

    long nextPosition() {
        return nextPosition;
    }

    Bytes record() {
        return record;
    }

    CorruptionException corruption(String what) {
        return new CorruptionException(segment.file().toString(), fileOffset, what);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private boolean buffered(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return true;
        }
        // A damaged length must not cause an allocation larger than the file.
        if (fileOffset + bytes > file.size()) {
            return false;
        }
        if (buffer.capacity() < bytes) {
            buffer = newBuffer(bytes).put(buffer);
        } else {
            buffer.compact();
        }
        file.readFully(buffer, fileOffset + buffer.position());
        buffer.flip();
        return buffer.remaining() >= bytes;
    }

    private static ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
