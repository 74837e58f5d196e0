package io.cleave.bench.storage;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.ForwardingBlobs;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts the bytes that are read from and written to a blob store, and knows whether a write is in
/// progress.
public class CountingBlobs extends ForwardingBlobs {
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder created = new LongAdder();
    private final AtomicInteger beingWritten = new AtomicInteger();

    public CountingBlobs(BlobStore blobs) {
        super(blobs);
    }

    long readBytes() {
        return readBytes.sum();
    }

    long writtenBytes() {
        return writtenBytes.sum();
    }

    /// How many blobs have been begun so far.
    public long created() {
        return created.sum();
    }

    /// Called before each write.
    protected void wrote(int bytes) {
        writtenBytes.add(bytes);
    }

    int beingWritten() {
        return beingWritten.get();
    }

    @Override
    public BlobWriter create(String medium) {
        created.increment();
        beingWritten.incrementAndGet();
        return new CountingWriter(blobs.create(medium));
    }

    @Override
    public BlobReader open(long id) {
        return new CountingReader(blobs.open(id));
    }

    private final class CountingReader extends Reader {
        CountingReader(BlobReader blob) {
            super(blob);
        }

        @Override
        public ByteBuffer read(long offset, int length) {
            readBytes.add(length);
            return blob.read(offset, length);
        }
    }

    private final class CountingWriter extends Writer {
        private boolean done;

        CountingWriter(BlobWriter blob) {
            super(blob);
        }

        @Override
        public void write(ByteBuffer bytes) {
            wrote(bytes.remaining());
            blob.write(bytes);
        }

        @Override
        public void seal() {
            blob.seal();
            done();
        }

        @Override
        public void close() {
            blob.close();
            done();
        }

        private void done() {
            if (!done) {
                done = true;
                beingWritten.decrementAndGet();
            }
        }
    }
}
