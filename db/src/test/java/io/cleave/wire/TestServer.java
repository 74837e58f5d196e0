package io.cleave.wire;

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
import io.cleave.query.Database;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Timestamps;
import io.cleave.txn.OptimisticTransactions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/// A whole server in memory on a free port.
final class TestServer implements AutoCloseable {
    private static final long CACHE_BYTES = 8L << 20;

    private final Env env = new SystemEnv();
    private final Timestamps timestamps = new Timestamps(env);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Database database;
    private final GrpcServer server;

    TestServer() {
        var catalog = new Catalog(openCell(0));
        var cluster = new LocalCluster("/local", catalog, openCell(1), env);
        database = new Database(env, cluster, new OptimisticTransactions(cluster), 1);
        try {
            server = GrpcServer.start(env, database, "localhost", 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        var cell =
                new Cell(
                        id,
                        log,
                        blobs,
                        new TableFiles(blobs, CACHE_BYTES),
                        timestamps,
                        CellOptions.DEFAULT,
                        env);
        open.push(cell);
        return cell;
    }

    Database database() {
        return database;
    }

    GrpcServer grpc() {
        return server;
    }

    String endpoint() {
        return "localhost:" + server.port();
    }

    String connectionString() {
        return "grpc://" + endpoint() + "/local";
    }

    String jdbcUrl() {
        return "jdbc:ydb:" + connectionString();
    }

    @Override
    public void close() throws Exception {
        server.close();
        for (AutoCloseable part : open) {
            part.close();
        }
    }
}
