package io.cleave.log;

import io.cleave.base.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Appends groups of records to one segment. What is a group here is what [SegmentTail] relies on:
/// the one before must have been forced.
final class SegmentWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    private final FileChannel channel;
    private final ByteBuffer header =
            ByteBuffer.allocate(RecordHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long segmentBytes;

    SegmentWriter(Segment segment) throws IOException {
        channel = FileChannel.open(segment.file(), StandardOpenOption.WRITE);
        segmentBytes = channel.size();
        channel.position(segmentBytes);
    }

    long segmentBytes() {
        return segmentBytes;
    }

    /// Writes the group and syncs it.
    void commit(long firstPosition, List<Bytes> records) throws IOException {
        for (int index = 0; index < records.size(); index++) {
            Bytes record = records.get(index);
            RecordHeader.write(header, firstPosition + index, index, record);
            put(header.array(), header.limit());
            put(record.array(), record.length());
        }
        drain();
        channel.force(false);
    }

    private void put(byte[] bytes, int count) throws IOException {
        int done = 0;
        while (done < count) {
            if (!buffer.hasRemaining()) {
                drain();
            }
            int part = Math.min(count - done, buffer.remaining());
            buffer.put(bytes, done, part);
            done += part;
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            segmentBytes += channel.write(buffer);
        }
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
