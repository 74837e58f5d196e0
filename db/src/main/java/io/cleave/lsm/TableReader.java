package io.cleave.lsm;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;

/// An open table file: its index and statistics are in memory, its blocks are read through the
/// cache. Good for as long as someone holds it, also after the blob was deleted. Threads: any.
final class TableReader {
    private final long blobId;
    private final BlobReader blob;
    private final BlockCodec codec;
    private final BlockCache cache;
    private final TableIndex index;
    private final TableStatistics statistics;

    TableReader(long blobId, BlobReader blob, BlockCodec codec, BlockCache cache) {
        this.blobId = blobId;
        this.blob = blob;
        this.codec = codec;
        this.cache = cache;
        Footer footer = Footer.read(blob);
        index = TableIndex.decode(codec.decode(blob, footer.indexOffset(), footer.indexLength()));
        if (index.offset(index.blockCount()) != footer.indexOffset()) {
            throw new CorruptionException(
                    blob.name(), footer.indexOffset(), "the index does not cover the blocks");
        }
        statistics =
                TableStatistics.decode(
                        codec.decode(blob, footer.statisticsOffset(), footer.statisticsLength()));
    }

    TableIndex index() {
        return index;
    }

    TableStatistics statistics() {
        return statistics;
    }

    long bytes() {
        return blob.size();
    }

    /// The bytes of a block, uncompressed and checked.
    byte[] block(int number, BlockCache.Use use) {
        byte[] cached = cache.find(blobId, number);
        if (cached != null) {
            return cached;
        }
        byte[] read = codec.decode(blob, index.offset(number), index.length(number));
        if (use == BlockCache.Use.KEEP) {
            cache.keep(blobId, number, read);
        }
        return read;
    }
}
