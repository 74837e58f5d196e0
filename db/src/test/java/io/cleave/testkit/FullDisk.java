package io.cleave.testkit;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/// Blobs on a disk that is full while it is said to be.
public final class FullDisk implements BlobStore {
    private final BlobStore blobs;
    private volatile boolean full;

    public FullDisk(BlobStore blobs) {
        this.blobs = blobs;
    }

    public void setFull(boolean isFull) {
        full = isFull;
    }

    private void checkRoom() {
        if (full) {
            throw new UncheckedIOException(new IOException("No space left on device"));
        }
    }

    @Override
    public Set<String> media() {
        return blobs.media();
    }

    @Override
    public BlobWriter create(String medium) {
        BlobWriter writer = blobs.create(medium);
        return new BlobWriter() {
            @Override
            public long id() {
                return writer.id();
            }

            @Override
            public long offset() {
                return writer.offset();
            }

            @Override
            public void write(ByteBuffer bytes) {
                checkRoom();
                writer.write(bytes);
            }

            @Override
            public void seal() {
                checkRoom();
                writer.seal();
            }

            @Override
            public void close() {
                writer.close();
            }
        };
    }

    @Override
    public BlobReader open(long id) {
        return blobs.open(id);
    }

    @Override
    public void delete(long id) {
        blobs.delete(id);
    }

    @Override
    public List<Long> list() {
        return blobs.list();
    }
}
