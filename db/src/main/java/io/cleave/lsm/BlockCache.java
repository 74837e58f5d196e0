package io.cleave.lsm;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.jspecify.annotations.Nullable;

/// Uncompressed, checked blocks of all tables, up to a number of bytes. Threads: any.
final class BlockCache {
    /// What an entry takes beside the block.
    private static final int ENTRY_BYTES = 128;

    private final Cache<Key, byte[]> blocks;

    /// Whether a block that had to be read stays for others.
    enum Use {
        KEEP,
        /// For compaction, which reads everything once.
        PASS
    }

    private record Key(long blobId, int block) {}

    BlockCache(long maxBytes) {
        blocks =
                Caffeine.newBuilder()
                        .maximumWeight(maxBytes)
                        .<Key, byte[]>weigher((key, block) -> block.length + ENTRY_BYTES)
                        // Its upkeep is done by whoever uses it: no threads of its own.
                        .executor(Runnable::run)
                        .build();
    }

    byte @Nullable [] find(long blobId, int block) {
        return blocks.getIfPresent(new Key(blobId, block));
    }

    void keep(long blobId, int block, byte[] bytes) {
        blocks.put(new Key(blobId, block), bytes);
    }

    /// A reader that is still on the table may bring some back; they age out.
    void drop(long blobId, int blockCount) {
        for (int block = 0; block < blockCount; block++) {
            blocks.invalidate(new Key(blobId, block));
        }
    }
}
