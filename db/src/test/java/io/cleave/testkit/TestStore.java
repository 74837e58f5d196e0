package io.cleave.testkit;

import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.CellHosting;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletBalancer;
import io.cleave.index.IndexBuilds;
import io.cleave.log.FencedException;
import io.cleave.log.ForwardingLog;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.table.TableFiles;
import io.cleave.node.Store;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tree.ColumnWork;
import io.cleave.tree.IndexBuilder;
import io.cleave.tree.Indexes;
import io.cleave.tree.SchemeTree;
import io.cleave.txn.ColumnRows;
import io.cleave.txn.OptimisticTransactions;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Everything below the query engine, in memory: cells, a catalog, transactions. A restart opens
/// the same logs and blobs again, with whatever was durable.
public final class TestStore implements AutoCloseable {
    private final Env env = new SystemEnv();
    private final Map<Long, Log> logs = new TreeMap<>();
    private final BlobStore systemBlobs = new MemoryBlobs();
    private final BlobStore userBlobs;
    private final CellOptions options;
    private int userCells;

    private final ReentrantLock trimming = new ReentrantLock();

    /// The number of restarts; guarded by `trimming`.
    private int process;

    private Store store;
    private StoreParts parts;
    private SchemeTree tree;

    /// What the tree has its indexes built and its columns checked with.
    private volatile IndexBuilder indexBuilder;

    private volatile ColumnWork columnWork;

    public TestStore() {
        this(1);
    }

    public TestStore(int userCells) {
        this(CellOptions.DEFAULT, new MemoryBlobs(), userCells);
    }

    public TestStore(CellOptions options) {
        this(options, new MemoryBlobs());
    }

    public TestStore(CellOptions options, BlobStore userBlobs) {
        this(options, userBlobs, 1);
    }

    public TestStore(CellOptions options, BlobStore userBlobs, int userCells) {
        this.options = options;
        this.userBlobs = userBlobs;
        this.userCells = userCells;
        store = open();
        build();
    }

    private void build() {
        parts = StoreParts.of(store, env);
        indexBuilder = parts.builds();
        columnWork = new ColumnRows(parts.tablets(), parts.transactions(), env);
        tree =
                new SchemeTree(
                        parts.tablets(),
                        parts.indexes(),
                        (table, indexTable) -> indexBuilder.build(table, indexTable),
                        new ColumnWork() {
                            @Override
                            public void fill(long tableId, int columnId) {
                                columnWork.fill(tableId, columnId);
                            }

                            @Override
                            public long check(long tableId, int columnId) {
                                return columnWork.check(tableId, columnId);
                            }
                        },
                        env);
    }

    /// A log as one process sees it. After a restart, the process before no longer trims: a writer
    /// that was fenced could remove records that its successor is reading.
    private final class ProcessLog extends ForwardingLog {
        private final int owner = process;

        ProcessLog(Log log) {
            super(log);
        }

        @Override
        public void trim(long before) {
            trimming.lock();
            try {
                if (owner != process) {
                    throw new FencedException("process " + owner + " was replaced");
                }
                super.trim(before);
            } finally {
                trimming.unlock();
            }
        }
    }

    private Store open() {
        var backend =
                new Store.Backend() {
                    @Override
                    public Log openLog(long cellId) {
                        return new ProcessLog(logs.computeIfAbsent(cellId, _ -> newLog()));
                    }

                    @Override
                    public void removeLog(long cellId) {
                        logs.remove(cellId);
                    }

                    @Override
                    public BlobStore systemBlobs() {
                        return systemBlobs;
                    }

                    @Override
                    public BlobStore userBlobs() {
                        return userBlobs;
                    }
                };
        return new Store(env, backend, new Store.Options("/local", userCells, options, 8 << 20));
    }

    /// What a new process would find. The old cells are fenced before they end.
    public void restart() {
        Store old = store;
        trimming.lock();
        process++;
        trimming.unlock();
        parts.builds().abandon();
        old.tablets().replicas().close();
        store = open();
        // A process that is gone has no threads left.
        old.cells().forEach(Cell::close);
        old.system().close();
        build();
        parts.builds().resume();
    }

    /// The same with more cells.
    public void restart(int moreUserCells) {
        userCells = moreUserCells;
        restart();
    }

    /// Until each read replica has what can be seen now: what all of them together have may be
    /// newer than one that has just begun.
    public void awaitReplicas() {
        long visible = tablets().timeline().visible();
        while (tree().replicaInfos().stream().anyMatch(info -> info.reachedMicros() < visible)
                || !tree().replicaInfos().isEmpty()
                        && tablets().replicas().newestMoment().orElse(0) < visible) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    public Env env() {
        return env;
    }

    /// The cell with the catalog.
    public Cell system() {
        return store.system();
    }

    /// The first user cell.
    public Cell user() {
        return cell(1);
    }

    public Cell cell(long cellId) {
        return store.cell(cellId);
    }

    public CellHosting hosting() {
        return store.hosting();
    }

    public List<Cell> cells() {
        return store.cells();
    }

    public boolean hasLog(long cellId) {
        return logs.containsKey(cellId);
    }

    public Log systemLog() {
        return logs.get(Cell.SYSTEM_ID);
    }

    public Log userLog() {
        return logs.get(1L);
    }

    public BlobStore userBlobs() {
        return userBlobs;
    }

    public TableFiles userFiles() {
        return store.userFiles();
    }

    public Catalog catalog() {
        return store.catalog();
    }

    public Tablets tablets() {
        return parts.tablets();
    }

    /// A new balancer, which is not started: see [StoreParts#balancer].
    public TabletBalancer balancer() {
        return parts.balancer(store, env);
    }

    public Resharding resharding() {
        return parts.resharding();
    }

    public Indexes indexes() {
        return parts.indexes();
    }

    public SchemeTree tree() {
        return tree;
    }

    /// Until the next restart.
    public void setIndexBuilder(IndexBuilder builder) {
        indexBuilder = builder;
    }

    /// Until the next restart.
    public void setColumnWork(ColumnWork work) {
        columnWork = work;
    }

    public OptimisticTransactions transactions() {
        return parts.transactions();
    }

    public IndexBuilds builds() {
        return parts.builds();
    }

    @Override
    public void close() {
        parts.builds().close();
        store.close();
    }

    private Log newLog() {
        return new MemoryLog(
                env,
                LogOptions.DEFAULT,
                failure -> {
                    throw new AssertionError("the log failed", failure);
                });
    }
}
