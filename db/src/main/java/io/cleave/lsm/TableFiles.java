package io.cleave.lsm;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobStore;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The tables of all trees over one blob store, with their common block cache. Threads: any.
public final class TableFiles {
    private final BlobStore blobs;
    private final BlockCache cache;
    private final BlockCodec codec = new BlockCodec();
    private final ConcurrentMap<Long, TableReader> open = new ConcurrentHashMap<>();

    public TableFiles(BlobStore blobs, long cacheBytes) {
        this.blobs = blobs;
        cache = new BlockCache(cacheBytes);
    }

    public BlobStore blobs() {
        return blobs;
    }

    TableReader open(long blobId) {
        TableReader known = open.get(blobId);
        if (known != null) {
            return known;
        }
        var opened = new TableReader(blobId, blobs.open(blobId), codec, cache);
        TableReader earlier = open.putIfAbsent(blobId, opened);
        return earlier == null ? opened : earlier;
    }

    TableWriter create(LsmOptions options) {
        return new TableWriter(blobs.create(), codec, options);
    }

    /// Deletes a table that no tree names any more. Readers that are on it go on undisturbed.
    public void delete(long blobId) {
        TableReader known = open.remove(blobId);
        if (known != null) {
            cache.drop(blobId, known.index().blockCount());
        }
        blobs.delete(blobId);
    }

    /// Deletes every table but these: what is left of writing or deleting others when the process
    /// ended.
    public void deleteAllBut(Set<Long> named) {
        for (long blobId : blobs.list()) {
            if (!named.contains(blobId)) {
                delete(blobId);
            }
        }
    }

    /// Reads the whole table and says what is wrong with it, if anything is.
    public @Nullable CorruptionException check(long blobId) {
        try {
            var table = new TableReader(blobId, blobs.open(blobId), codec, new BlockCache(0));
            for (int block = 0; block < table.index().blockCount(); block++) {
                var _ = table.block(block, BlockCache.Use.PASS);
            }
            return null;
        } catch (CorruptionException e) {
            return e;
        }
    }
}
