package io.cleave.testkit;

import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.LocalCluster;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.TableFiles;
import io.cleave.tablet.Background;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Timeline;
import io.cleave.txn.OptimisticTransactions;

/// Everything below the query engine, in memory: two cells, a catalog, transactions. A restart
/// opens the same logs and blobs again, with whatever was durable.
public final class TestStore implements AutoCloseable {
    private final Env env = new SystemEnv();
    private final Log systemLog = newLog();
    private final Log userLog = newLog();
    private final BlobStore systemBlobs = new MemoryBlobs();
    private final BlobStore userBlobs;
    private final CellOptions options;

    private Cell system;
    private Cell user;
    private TableFiles userFiles;
    private LocalCluster cluster;
    private OptimisticTransactions transactions;

    public TestStore() {
        this(CellOptions.DEFAULT);
    }

    public TestStore(CellOptions options) {
        this(options, new MemoryBlobs());
    }

    public TestStore(CellOptions options, BlobStore userBlobs) {
        this.options = options;
        this.userBlobs = userBlobs;
        var timeline = new Timeline(env);
        system = cell(0, systemLog, files(systemBlobs), timeline);
        userFiles = files(userBlobs);
        user = cell(1, userLog, userFiles, timeline);
        cluster = new LocalCluster("/local", new Catalog(system), user, env);
        transactions = new OptimisticTransactions(cluster);
    }

    /// What a new process would find. The old cells are not closed: they are fenced.
    public void restart() {
        var timeline = new Timeline(env);
        system = cell(0, systemLog, files(systemBlobs), timeline);
        userFiles = files(userBlobs);
        user = cell(1, userLog, userFiles, timeline);
        cluster = new LocalCluster("/local", new Catalog(system), user, env);
        transactions = new OptimisticTransactions(cluster);
    }

    public Env env() {
        return env;
    }

    public Cell user() {
        return user;
    }

    public Log userLog() {
        return userLog;
    }

    public BlobStore userBlobs() {
        return userBlobs;
    }

    public TableFiles userFiles() {
        return userFiles;
    }

    public LocalCluster cluster() {
        return cluster;
    }

    public OptimisticTransactions transactions() {
        return transactions;
    }

    @Override
    public void close() {
        user.close();
        system.close();
    }

    private Log newLog() {
        return new MemoryLog(
                env,
                LogOptions.DEFAULT,
                failure -> {
                    throw new AssertionError("the log failed", failure);
                });
    }

    private static TableFiles files(BlobStore blobs) {
        return new TableFiles(blobs, 8 << 20);
    }

    private Cell cell(long id, Log log, TableFiles files, Timeline timeline) {
        var background = new Background(env, options);
        return new Cell(id, log, files, timeline, options, background, env);
    }
}
