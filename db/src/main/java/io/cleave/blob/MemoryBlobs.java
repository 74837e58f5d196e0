package io.cleave.blob;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/// A blob store in memory, for tests and for databases that need not outlive the process. The
/// object takes the place of the disk: to simulate a restart, keep it and create everything else
/// again.
public final class MemoryBlobs implements BlobStore {
    private final ConcurrentNavigableMap<Long, MemorySegment> sealed =
            new ConcurrentSkipListMap<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private final Set<String> media;

    public MemoryBlobs() {
        this(Set.of(DEFAULT_MEDIUM));
    }

    /// A store with these media, including the default one. All of them are in memory.
    public MemoryBlobs(Set<String> media) {
        Check.that(media.contains(DEFAULT_MEDIUM), "no default medium");
        this.media = Set.copyOf(media);
    }

    @Override
    public Set<String> media() {
        return media;
    }

    @Override
    public BlobWriter create(String medium) {
        Check.that(media().contains(medium), "there is no medium %s here", medium);
        return new Writer(nextId.getAndIncrement());
    }

    @Override
    public BlobReader open(long id) {
        MemorySegment bytes = sealed.get(id);
        if (bytes == null) {
            throw new CorruptionException(name(id), 0, "this blob is missing");
        }
        return new MemorySegmentReader(name(id), bytes);
    }

    @Override
    public void delete(long id) {
        sealed.remove(id);
    }

    @Override
    public List<Long> list() {
        return List.copyOf(sealed.keySet());
    }

    private static String name(long id) {
        return "memory:" + id;
    }

    private final class Writer implements BlobWriter {
        private final long id;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private boolean done;

        Writer(long id) {
            this.id = id;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public long offset() {
            return written.size();
        }

        @Override
        public void write(ByteBuffer bytes) {
            Check.that(!done, "blob %d is sealed", id);
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            written.writeBytes(copy);
        }

        @Override
        public void seal() {
            Check.that(!done, "blob %d is sealed", id);
            done = true;
            sealed.put(id, MemorySegment.ofArray(written.toByteArray()).asReadOnly());
        }

        @Override
        public void close() {
            done = true;
        }
    }
}
