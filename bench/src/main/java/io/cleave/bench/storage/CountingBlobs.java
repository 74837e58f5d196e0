package io.cleave.bench.storage;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts the bytes that are read from and written to a blob store, and knows whether a write is in
/// progress.
public class CountingBlobs implements BlobStore {
    private final BlobStore blobs;
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder created = new LongAdder();
    private final AtomicInteger beingWritten = new AtomicInteger();

    public CountingBlobs(BlobStore blobs) {
        this.blobs = blobs;
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
        return new Writer(blobs.create(medium));
    }

    @Override
    public Set<String> media() {
        return blobs.media();
    }

    @Override
    public BlobReader open(long id) {
        return new Reader(blobs.open(id));
    }

    @Override
    public void delete(long id) {
        blobs.delete(id);
    }

    @Override
    public List<Long> list() {
        return blobs.list();
    }

    private final class Reader implements BlobReader {
        private final BlobReader blob;

        Reader(BlobReader blob) {
            this.blob = blob;
        }

        @Override
        public String name() {
            return blob.name();
        }

        @Override
        public long size() {
            return blob.size();
        }

        @Override
        public ByteBuffer read(long offset, int length) {
            readBytes.add(length);
            return blob.read(offset, length);
        }

        @Override
        public void willRead(long offset, long length) {
            blob.willRead(offset, length);
        }
    }

    private final class Writer implements BlobWriter {
        private final BlobWriter blob;
        private boolean done;

        Writer(BlobWriter blob) {
            this.blob = blob;
        }

        @Override
        public long id() {
            return blob.id();
        }

        @Override
        public long offset() {
            return blob.offset();
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
