package io.cleave.testkit;

import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.ForwardingBlobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/// Blobs on a disk that is full while it is said to be.
public final class FullDisk extends ForwardingBlobs {
    private volatile boolean full;

    public FullDisk(BlobStore blobs) {
        super(blobs);
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
    public BlobWriter create(String medium) {
        return new Writer(blobs.create(medium)) {
            @Override
            public void write(ByteBuffer bytes) {
                checkRoom();
                super.write(bytes);
            }

            @Override
            public void seal() {
                checkRoom();
                super.seal();
            }
        };
    }
}
