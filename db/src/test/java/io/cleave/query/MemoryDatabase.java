package io.cleave.query;

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
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Timestamps;
import io.cleave.txn.OptimisticTransactions;

import java.util.ArrayDeque;
import java.util.Deque;

/// The database `/local` over a whole store in memory.
public final class MemoryDatabase implements AutoCloseable {
    private static final long CACHE_BYTES = 8L << 20;

    private final Env env = new SystemEnv();
    private final Timestamps timestamps = new Timestamps(env);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Database database;

    public MemoryDatabase() {
        var catalog = new Catalog(openCell(0));
        var cluster = new LocalCluster("/local", catalog, openCell(1), env);
        database = new Database(env, cluster, new OptimisticTransactions(cluster), 1);
    }

    private Cell openCell(long id) {
        Log log =
                new MemoryLog(
                        env,
                        LogOptions.DEFAULT,
                        failure -> {
                            throw new AssertionError(failure);
                        });
        open.push(log);
        BlobStore blobs = new MemoryBlobs();
        var files = new TableFiles(blobs, CACHE_BYTES);
        var cell = new Cell(id, log, blobs, files, timestamps, CellOptions.DEFAULT, env);
        open.push(cell);
        return cell;
    }

    public Env env() {
        return env;
    }

    public Database database() {
        return database;
    }

    @Override
    public void close() {
        try {
            for (AutoCloseable part : open) {
                part.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the store does not close", e);
        }
    }
}
