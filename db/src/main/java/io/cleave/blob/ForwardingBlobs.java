package io.cleave.blob;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/// Passes every call on to another blob store. Tests and benchmarks override what they change or
/// count.
public abstract class ForwardingBlobs implements BlobStore {
    protected final BlobStore blobs;

    protected ForwardingBlobs(BlobStore blobs) {
        this.blobs = blobs;
    }

    @Override
    public BlobWriter create(String medium) {
        return blobs.create(medium);
    }

    @Override
    public Set<String> media() {
        return blobs.media();
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
    public String setAside(long id) {
        return blobs.setAside(id);
    }

    @Override
    public List<Long> list() {
        return blobs.list();
    }

    /// Passes every call on to another reader.
    public abstract static class Reader implements BlobReader {
        protected final BlobReader blob;

        protected Reader(BlobReader blob) {
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
            return blob.read(offset, length);
        }

        @Override
        public void willRead(long offset, long length) {
            blob.willRead(offset, length);
        }
    }

    /// Passes every call on to another writer.
    public abstract static class Writer implements BlobWriter {
        protected final BlobWriter blob;

        protected Writer(BlobWriter blob) {
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
            blob.write(bytes);
        }

        @Override
        public void seal() {
            blob.seal();
        }

        @Override
        public void close() {
            blob.close();
        }
    }
}
