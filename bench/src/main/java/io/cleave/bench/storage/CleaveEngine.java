package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.bench.storage.Results.Measured;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.log.LocalLog;
import io.cleave.log.LogOptions;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Background;
import io.cleave.tablet.BulkLoad;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.time.Timeline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/// Cleave's engine, from the cell down: one tablet with one column, and a log and blobs in files.
/// During the load, every commit is durable, unlike those of the other engines. Several writers
/// share the syncs.
final class CleaveEngine implements Engine {
    private static final int COLUMN = 1;
    private static final int[] COLUMNS = {COLUMN};
    static final long TABLET_ID = 1;

    /// The tablet of a second table, where one is needed.
    static final long OTHER_TABLET_ID = 2;

    private static final TreeSettings SETTINGS =
            new TreeSettings(
                    List.of(
                            new StoredFamily(
                                    "default",
                                    List.of(),
                                    Compression.LZ4,
                                    BlobStore.DEFAULT_MEDIUM,
                                    StoredFamily.CacheMode.REGULAR)),
                    true,
                    null);
    private static final int LOADERS = 16;
    private static final long OVERLOAD_PAUSE_MILLIS = 5;

    /// Longer than the background threads sleep when they have nothing to do.
    private static final long QUIET_MILLIS = 1_200;

    private static final long POLL_MILLIS = 50;

    private final long cacheBytes;

    CleaveEngine(long cacheBytes) {
        this.cacheBytes = cacheBytes;
    }

    @Override
    public String name() {
        return "Cleave";
    }

    @Override
    public String description() {
        return "Cleave: one cell with one tablet, LZ4, key filter, block cache of %d MiB"
                .formatted(cacheBytes >> 20);
    }

    @Override
    public boolean can(Work work) {
        return true;
    }

    @Override
    public void load(Path dir, int[] order) throws Exception {
        try (var opened = new Opened(dir, cacheBytes);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var next = new AtomicInteger();
            List<Future<?>> loaders = new ArrayList<>();
            for (int loader = 0; loader < LOADERS; loader++) {
                loaders.add(threads.submit(() -> loadBatches(opened.cell, order, next)));
            }
            join(loaders);
            opened.cell.structure().flush(List.of(TABLET_ID));
            opened.awaitQuiet();
        }
    }

    private static void join(List<Future<?>> running)
            throws InterruptedException, ExecutionException {
        for (Future<?> one : running) {
            var _ = one.get();
        }
    }

    private static Void loadBatches(Cell cell, int[] order, AtomicInteger next)
            throws InterruptedException {
        int from = next.getAndAdd(StorageRun.BATCH_ROWS);
        while (from < order.length) {
            int to = Math.min(order.length, from + StorageRun.BATCH_ROWS);
            List<KeyedChange> changes = new ArrayList<>(to - from);
            for (int index = from; index < to; index++) {
                changes.add(change(Rows.key(order[index]), Rows.value(order[index])));
            }
            commitWhenPossible(cell, changes);
            from = next.getAndAdd(StorageRun.BATCH_ROWS);
        }
        return null;
    }

    static KeyedChange change(byte[] key, byte[] value) {
        Bytes change =
                RowChange.encode(RowChange.Kind.REPLACE, new int[] {COLUMN}, new byte[][] {value});
        return new KeyedChange(Bytes.wrap(key), change);
    }

    static void commitWhenPossible(Cell cell, List<KeyedChange> changes)
            throws InterruptedException {
        while (!commit(cell, TABLET_ID, changes)) {
            Thread.sleep(OVERLOAD_PAUSE_MILLIS);
        }
    }

    /// Returns false if the cell is overloaded.
    static boolean commit(Cell cell, long tabletId, List<KeyedChange> changes) {
        try {
            var writes = List.of(new TabletWrites(tabletId, changes));
            CommitResult result = cell.commit(writes, new ReadLocks(), null);
            if (result instanceof CommitResult.Done) {
                return true;
            }
            throw new IllegalStateException("a commit ended with " + result);
        } catch (StatusException e) {
            if (e.status() == Status.OVERLOADED) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void bulkLoad(Path dir, int rowCount) throws InterruptedException {
        try (var opened = new Opened(dir, cacheBytes);
                BulkLoad load = opened.cell.bulkLoad(TABLET_ID)) {
            for (int row = 0; row < rowCount; row++) {
                add(load, row);
            }
            CommitResult result = load.finish();
            if (!(result instanceof CommitResult.Done)) {
                throw new IllegalStateException("a bulk load ended with " + result);
            }
            opened.awaitQuiet();
        }
    }

    static void add(BulkLoad load, int row) {
        load.add(Bytes.wrap(Rows.key(row)), COLUMNS, new byte[][] {Rows.value(row)});
    }

    @Override
    public void foreground(Path dir, int rowCount, BiConsumer<Work, Measured> results)
            throws Exception {
        Foreground.measure(dir, rowCount, results);
    }

    @Override
    public void coldReads(Path dir, long tableBytes, BiConsumer<Work, Measured> results)
            throws Exception {
        new ColdReads(dir, tableBytes).measure(results);
    }

    @Override
    public double narrowShare(Path dir, int rowCount) throws InterruptedException {
        return NarrowScan.share(dir, rowCount);
    }

    @Override
    public Store open(Path dir) {
        return new CleaveStore(new Opened(dir, cacheBytes), COLUMN);
    }

    @Override
    public Committer openCommitter(Path dir) {
        return new CleaveCommitter(new Opened(dir, cacheBytes));
    }

    /// A cell with its one tablet, its log and its blobs.
    static final class Opened implements AutoCloseable {
        final CountingBlobs blobs;
        final CountingLog log;
        final Cell cell;
        private final TreeSettings settings;

        Opened(Path dir, long cacheBytes) {
            this(dir, cacheBytes, SETTINGS, CellOptions.DEFAULT);
        }

        Opened(Path dir, long cacheBytes, TreeSettings settings, CellOptions options) {
            var env = new SystemEnv();
            blobs = new CountingBlobs(new LocalBlobs(dir.resolve("blobs")));
            log =
                    new CountingLog(
                            new LocalLog(
                                    dir.resolve("log"),
                                    env,
                                    LogOptions.DEFAULT,
                                    failure -> {
                                        throw new IllegalStateException("the log failed", failure);
                                    }));
            var files = new TableFiles(blobs, cacheBytes);
            var background = new Background(env, options);
            cell = new Cell(1, log, files, new Timeline(env), options, background, env);
            this.settings = settings;
            if (cell.tablet(TABLET_ID) == null) {
                createTablet(TABLET_ID);
            }
        }

        /// Creates the only tablet of a table.
        void createTablet(long tabletId) {
            cell.structure()
                    .create(List.of(new TabletSpec(tabletId, tabletId, KeyRange.ALL, settings)));
        }

        Tablet tablet() {
            Tablet tablet = cell.tablet(TABLET_ID);
            if (tablet == null) {
                throw new IllegalStateException("the tablet is gone");
            }
            return tablet;
        }

        /// Waits until no blob has been written for a while.
        void awaitQuiet() throws InterruptedException {
            long created = blobs.created();
            long quietFrom = System.nanoTime();
            while (System.nanoTime() - quietFrom < QUIET_MILLIS * 1_000_000) {
                Thread.sleep(POLL_MILLIS);
                if (blobs.beingWritten() > 0 || blobs.created() != created) {
                    created = blobs.created();
                    quietFrom = System.nanoTime();
                }
            }
        }

        @Override
        public void close() {
            cell.close();
            log.close();
        }
    }

    private record CleaveCommitter(Opened opened) implements Committer {
        @Override
        public void commit(byte[] key, byte[] value) {
            if (!CleaveEngine.commit(opened.cell, TABLET_ID, List.of(change(key, value)))) {
                throw new IllegalStateException("overloaded by single commits");
            }
        }

        @Override
        public long syncs() {
            return opened.log.syncs();
        }

        /// Virtual threads, as in the server.
        @Override
        public ThreadFactory threads() {
            return Thread.ofVirtual().factory();
        }

        @Override
        public void close() {
            opened.close();
        }
    }
}
