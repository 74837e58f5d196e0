package io.cleave.log;

import io.cleave.base.Bytes;
import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Appends groups of records to one segment. What is a group here is what [SegmentTail] relies on:
/// the one before must have been forced.
final class SegmentWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    private final DiskFile file;
    private final ByteBuffer header =
            ByteBuffer.allocate(RecordHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long segmentBytes;

    SegmentWriter(Disk disk, Segment segment) throws IOException {
        file = disk.openToAppend(segment.file());
        segmentBytes = file.size();
    }

    long segmentBytes() {
        return segmentBytes;
    }

    /// Writes the group and syncs it.
    void commit(long firstPosition, List<Bytes> records) throws IOException {
        for (int index = 0; index < records.size(); index++) {
            Bytes record = records.get(index);
            RecordHeader.write(header, firstPosition + index, index, record);
            put(header);
            put(ByteBuffer.wrap(record.array()));
        }
        drain();
        file.force();
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
        segmentBytes += buffer.remaining();
        file.append(buffer);
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
