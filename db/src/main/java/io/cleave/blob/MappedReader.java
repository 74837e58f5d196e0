package io.cleave.blob;

import io.cleave.disk.Disk;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A blob in a mapped file. Without a hint before a read, the kernel guesses how much to read.
record MappedReader(MemorySegmentReader segment, Disk disk) implements BlobReader {
    MappedReader(String name, MemorySegment mapped, Disk disk) {
        this(new MemorySegmentReader(name, mapped), disk);
    }

    @Override
    public String name() {
        return segment.name();
    }

    @Override
    public long size() {
        return segment.size();
    }

    @Override
    public ByteBuffer read(long offset, int length) {
        return segment.read(offset, length);
    }

    @Override
    public void willRead(long offset, long length) {
        long from = Math.max(0, offset);
        long to = Math.min(size(), offset + length);
        if (from < to) {
            disk.willRead(segment.bytes(), from, to - from);
        }
    }
}
