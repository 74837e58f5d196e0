package io.cleave.testkit;

import io.cleave.base.Check;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.MemoryBlobs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Blobs in memory that are said to lie on several media.
public final class MemoryMedia implements BlobStore {
    private final BlobStore blobs = new MemoryBlobs();
    private final Set<String> media;

    public MemoryMedia(String... others) {
        media = new HashSet<>(List.of(others));
        media.add(DEFAULT_MEDIUM);
    }

    @Override
    public Set<String> media() {
        return Set.copyOf(media);
    }

    /// As when a node is started without it.
    public void lose(String medium) {
        media.remove(medium);
    }

    @Override
    public BlobWriter create(String medium) {
        Check.that(media.contains(medium), "there is no medium %s here", medium);
        return blobs.create();
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
