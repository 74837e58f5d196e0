package io.cleave.bench;

import io.cleave.base.Bytes;
import io.cleave.bench.storage.CountingBlobs;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.BulkWriter;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// The stored sizes of the blocks of a table file. The table is made in memory, from rows like
/// those of `bench storage`: keys of 16 bytes, and values of 100 bytes, 64 of them incompressible.
/// Blocks are compressed with LZ4.
final class TableBlocks {
    private static final int RANDOM_BYTES = 64;
    private static final byte[] SHARED =
            " status=active region=eu tier=silver".getBytes(StandardCharsets.US_ASCII);
    private static final long CACHE_BYTES = 1 << 20;
    private static final TreeSettings LZ4 =
            new TreeSettings(
                    List.of(
                            new StoredFamily(
                                    "default",
                                    List.of(),
                                    Compression.LZ4,
                                    BlobStore.DEFAULT_MEDIUM,
                                    StoredFamily.CacheMode.REGULAR)),
                    false,
                    null);
    private static final int[] COLUMN = {1};
    private static final long SEED = 7;

    private TableBlocks() {}

    /// The sizes of the first `count` blocks. The table is never finished, so that only blocks are
    /// written.
    static int[] sizes(int count) {
        var blobs = new Recording(new MemoryBlobs());
        var tree = new LsmTree(new TableFiles(blobs, CACHE_BYTES), LsmOptions.DEFAULT, LZ4);
        var random = new Random(SEED);
        try (BulkWriter table = tree.maintenance().newBulkWriter()) {
            for (long row = 0; blobs.sizes.size() < count; row++) {
                Bytes key = Bytes.utf8(String.format(Locale.ROOT, "%016d", row));
                table.add(key, COLUMN, new byte[][] {value(random)});
            }
        }
        if (blobs.created() != 1) {
            throw new IllegalStateException("the rows do not fit into one table");
        }
        return blobs.sizes.stream().mapToInt(Integer::intValue).limit(count).toArray();
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[RANDOM_BYTES + SHARED.length];
        random.nextBytes(value);
        System.arraycopy(SHARED, 0, value, RANDOM_BYTES, SHARED.length);
        return value;
    }

    /// Records the size of each write. The table writer writes one block at a time.
    private static final class Recording extends CountingBlobs {
        private final List<Integer> sizes = new ArrayList<>();

        Recording(BlobStore blobs) {
            super(blobs);
        }

        @Override
        protected void wrote(int bytes) {
            super.wrote(bytes);
            sizes.add(bytes);
        }
    }
}
