package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.blob.BlobWriter;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Writes one table file, in the order of its versions.
///
/// ```
/// data blocks      BlockWriter, each in the frame of BlockCodec
/// index block      TableIndex
/// statistics block TableStatistics
/// footer           Footer
/// ```
final class TableWriter implements AutoCloseable {
    private final BlobWriter blob;
    private final BlockCodec codec;
    private final LsmOptions options;
    private final BlockWriter block;
    private final TableIndex.Writer index = new TableIndex.Writer();

    private byte[] lastKey = Bytes.EMPTY.array();
    private @Nullable Bytes firstKey;
    private long rows;
    private long versions;
    private long rawBytes;
    private long minTimestamp = Long.MAX_VALUE;
    private long maxTimestamp = Long.MIN_VALUE;

    TableWriter(BlobWriter blob, BlockCodec codec, LsmOptions options) {
        this.blob = blob;
        this.codec = codec;
        this.options = options;
        block = new BlockWriter(options.restartKeys(), options.blockBytes());
    }

    /// Keys ascend; the versions of one key follow each other, newest first.
    void add(Entry version) {
        boolean sameKey = firstKey != null && version.hasKey(lastKey);
        if (block.bytes() >= options.blockBytes()) {
            endBlock(separator(version, sameKey), sameKey);
        }
        if (!sameKey) {
            beginKey(version);
        }
        block.add(version, sameKey);
        versions++;
        minTimestamp = Math.min(minTimestamp, version.timestamp);
        maxTimestamp = Math.max(maxTimestamp, version.timestamp);
    }

    private void beginKey(Entry version) {
        byte[] key = Arrays.copyOf(version.key, version.keyBytes);
        if (firstKey == null) {
            firstKey = Bytes.wrap(key);
        } else {
            Check.that(Arrays.compareUnsigned(lastKey, key) < 0, "keys must ascend");
        }
        lastKey = key;
        if (RowChange.kind(version.change, version.from) != RowChange.Kind.ERASE) {
            rows++;
        }
    }

    /// As short as it can be, for the index stays in memory; see [TableIndex].
    private byte[] separator(Entry next, boolean sameKey) {
        if (sameKey) {
            return lastKey;
        }
        int common = Arrays.mismatch(lastKey, 0, lastKey.length, next.key, 0, next.keyBytes);
        int enough = common + 1;
        boolean shorter = enough < lastKey.length && enough < next.keyBytes;
        return shorter ? Arrays.copyOf(next.key, enough) : lastKey;
    }

    private void endBlock(byte[] separator, boolean goesOn) {
        Output raw = block.finish();
        rawBytes += raw.length();
        int length = writeBlock(raw, options.compression());
        index.add(separator, length, block.keyCount(), goesOn);
        block.clear();
    }

    private int writeBlock(Output raw, Compression compression) {
        long from = blob.offset();
        blob.write(codec.encode(raw, compression));
        return (int) (blob.offset() - from);
    }

    long blobId() {
        return blob.id();
    }

    /// Written so far; what is in the block being filled comes on top.
    long bytes() {
        return blob.offset();
    }

    /// Writes what is left and seals the blob.
    TableStatistics finish() {
        Bytes first = firstKey;
        if (first == null) {
            throw new IllegalStateException("a table without versions");
        }
        endBlock(lastKey, false);
        var statistics =
                new TableStatistics(
                        rows,
                        versions,
                        rawBytes,
                        minTimestamp,
                        maxTimestamp,
                        first,
                        Bytes.wrap(lastKey));
        long indexOffset = blob.offset();
        int indexLength = writeBlock(index.finish(), Compression.LZ4);
        int statisticsLength = writeBlock(statistics.encode(), Compression.NONE);
        blob.write(new Footer(indexOffset, indexLength, statisticsLength).encode());
        blob.seal();
        return statistics;
    }

    @Override
    public void close() {
        blob.close();
    }
}
