package io.cleave.blob;

import io.cleave.base.CorruptionException;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A blob whose bytes are in a memory segment: a mapped file or an array.
record MemorySegmentReader(String name, MemorySegment bytes) implements BlobReader {
    @Override
    public long size() {
        return bytes.byteSize();
    }

    @Override
    public ByteBuffer read(long offset, int length) {
        if (offset < 0 || length < 0 || offset > size() - length) {
            String range = "[%d, +%d)".formatted(offset, length);
            throw new CorruptionException(name, offset, range + " is outside " + size() + " bytes");
        }
        return bytes.asSlice(offset, length).asByteBuffer();
    }
}
