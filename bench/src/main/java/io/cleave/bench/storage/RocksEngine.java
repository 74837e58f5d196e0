package io.cleave.bench.storage;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/// RocksDB through its own Java binding: LZ4, ten filter bits for each key, and a block cache that
/// holds everything. All other settings are the defaults.
final class RocksEngine implements Engine {
    private static final int FILTER_BITS = 10;

    /// The file size at which the default compaction ends a file of the bottom level.
    private static final long BULK_FILE_BYTES = 64L << 20;

    private static final long POLL_MILLIS = 100;
    private static final List<String> UNDER_WAY =
            List.of(
                    "rocksdb.mem-table-flush-pending",
                    "rocksdb.num-running-flushes",
                    "rocksdb.compaction-pending",
                    "rocksdb.num-running-compactions");

    private final long cacheBytes;

    RocksEngine(long cacheBytes) {
        RocksDB.loadLibrary();
        this.cacheBytes = cacheBytes;
    }

    @Override
    public String name() {
        return "RocksDB";
    }

    @Override
    public String description() {
        return "rocksdbjni %s: LZ4, bloom filter of %d bits, block cache of %d MiB"
                .formatted(RocksDB.rocksdbVersion(), FILTER_BITS, cacheBytes >> 20);
    }

    @Override
    public boolean can(Work work) {
        return switch (work) {
            case HIT, MISS, RANGE, SCAN, LOAD, AMPLIFICATION, BULK, COMMITS_1, COMMITS_64, DISK ->
                    true;
            case COMMITS_1_VIRTUAL,
                    COLD_BYTES,
                    COLD_REQUESTS,
                    NARROW,
                    READ_BESIDE,
                    COMMIT_BESIDE,
                    SYNC_BESIDE ->
                    false;
        };
    }

    @Override
    public void load(Path dir, int[] order) throws Exception {
        try (var opened = Opened.at(dir, cacheBytes, null);
                var writing = new WriteOptions();
                var flushing = new FlushOptions().setWaitForFlush(true)) {
            for (int from = 0; from < order.length; from += StorageRun.BATCH_ROWS) {
                try (var batch = new WriteBatch()) {
                    int to = Math.min(order.length, from + StorageRun.BATCH_ROWS);
                    for (int index = from; index < to; index++) {
                        batch.put(Rows.key(order[index]), Rows.value(order[index]));
                    }
                    opened.db.write(writing, batch);
                }
            }
            opened.db.flush(flushing);
            awaitQuiet(opened.db);
        }
    }

    private static void awaitQuiet(RocksDB db) throws RocksDBException, InterruptedException {
        boolean busy = true;
        while (busy) {
            Thread.sleep(POLL_MILLIS);
            busy = false;
            for (String property : UNDER_WAY) {
                busy |= db.getLongProperty(property) > 0;
            }
        }
    }

    @Override
    public void bulkLoad(Path dir, int rowCount) throws Exception {
        try (var opened = Opened.at(dir, cacheBytes, null);
                var environment = new EnvOptions();
                var ingesting = new IngestExternalFileOptions().setMoveFiles(true)) {
            List<String> files = new ArrayList<>();
            int row = 0;
            while (row < rowCount) {
                try (var writer = new SstFileWriter(environment, opened.options)) {
                    String file = dir.resolve("bulk-" + files.size() + ".sst").toString();
                    writer.open(file);
                    do {
                        writer.put(Rows.key(row), Rows.value(row));
                        row++;
                    } while (row < rowCount && !isFull(writer, row));
                    writer.finish();
                    files.add(file);
                }
            }
            opened.db.ingestExternalFile(files, ingesting);
            awaitQuiet(opened.db);
        }
    }

    /// The size is a call into the library, so it is checked rarely.
    private static boolean isFull(SstFileWriter writer, int row) throws RocksDBException {
        return row % 1024 == 0 && writer.fileSize() >= BULK_FILE_BYTES;
    }

    @Override
    public Store open(Path dir) throws Exception {
        return new RocksStore(Opened.at(dir, cacheBytes, null));
    }

    @Override
    public Committer openCommitter(Path dir) throws Exception {
        var statistics = new Statistics();
        return new RocksCommitter(Opened.at(dir, cacheBytes, statistics), statistics);
    }

    /// A database with all objects that must be closed explicitly.
    static final class Opened implements AutoCloseable {
        final LRUCache cache;
        final BloomFilter filter;
        final Options options;
        final RocksDB db;

        private Opened(LRUCache cache, BloomFilter filter, Options options, RocksDB db) {
            this.cache = cache;
            this.filter = filter;
            this.options = options;
            this.db = db;
        }

        static Opened at(
                Path dir, long cacheBytes, @org.jspecify.annotations.Nullable Statistics statistics)
                throws RocksDBException, IOException {
            Files.createDirectories(dir);
            var cache = new LRUCache(cacheBytes);
            var filter = new BloomFilter(FILTER_BITS, false);
            var table = new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter);
            var options =
                    new Options()
                            .setCreateIfMissing(true)
                            .setCompressionType(CompressionType.LZ4_COMPRESSION)
                            .setTableFormatConfig(table);
            if (statistics != null) {
                options.setStatistics(statistics);
            }
            return new Opened(cache, filter, options, RocksDB.open(options, dir.toString()));
        }

        @Override
        public void close() {
            db.close();
            options.close();
            filter.close();
            cache.close();
        }
    }

    private record RocksCommitter(Opened opened, Statistics statistics, WriteOptions synced)
            implements Committer {
        RocksCommitter(Opened opened, Statistics statistics) {
            this(opened, statistics, new WriteOptions().setSync(true));
        }

        @Override
        public void commit(byte[] key, byte[] value) throws RocksDBException {
            opened.db.put(synced, key, value);
        }

        @Override
        public long syncs() {
            return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
        }

        /// Platform threads: a virtual thread would pin its carrier while it is in the library.
        @Override
        public ThreadFactory threads() {
            return Thread.ofPlatform().factory();
        }

        @Override
        public void close() {
            synced.close();
            opened.close();
            statistics.close();
        }
    }
}
