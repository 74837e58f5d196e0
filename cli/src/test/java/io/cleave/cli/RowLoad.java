package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/// Upserts rows with keys `from`, `from` + 1, … of a table `t` through the SDK, from several
/// threads, until it is stopped; remembers which were acknowledged, and which were refused.
final class RowLoad implements AutoCloseable {
    private static final int THREADS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(50);
    private static final String WRITE =
            "DECLARE $k AS Uint64; UPSERT INTO t (k, v) VALUES ($k, \"x\"u)";

    private final GrpcTransport transport;
    private final QueryClient client;
    private final SessionRetryContext once;
    private final AtomicLong nextKey;
    private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
    private final Set<Long> refused = new ConcurrentSkipListSet<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    RowLoad(String endpoint, long from) {
        transport = GrpcTransport.forConnectionString(endpoint).build();
        client = QueryClient.newClient(transport).build();
        once = SessionRetryContext.create(client).maxRetries(0).build();
        nextKey = new AtomicLong(from);
    }

    static void createTable(String endpoint) {
        try (var transport = GrpcTransport.forConnectionString(endpoint).build();
                var client = QueryClient.newClient(transport).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyResult(
                            session ->
                                    session.createQuery(
                                                    "CREATE TABLE t (k Uint64 NOT NULL, v Utf8,"
                                                            + " PRIMARY KEY (k))",
                                                    TxMode.NONE)
                                            .execute())
                    .join()
                    .getStatus()
                    .expectSuccess();
        }
    }

    RowLoad start() {
        for (int index = 0; index < THREADS; index++) {
            threads.add(Thread.ofPlatform().daemon().name("load").start(this::run));
        }
        return this;
    }

    private void run() {
        try {
            while (!stopped) {
                if (write() != StatusCode.SUCCESS) {
                    Thread.sleep(AFTER_A_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// One more row.
    StatusCode write() {
        long key = nextKey.getAndIncrement();
        Params params = Params.of("$k", PrimitiveValue.newUint64(key));
        StatusCode code =
                once.supplyResult(
                                session ->
                                        session.createQuery(WRITE, TxMode.SERIALIZABLE_RW, params)
                                                .execute())
                        .join()
                        .getStatus()
                        .getCode();
        if (code == StatusCode.SUCCESS) {
            acknowledged.add(key);
        } else if (code == StatusCode.UNAVAILABLE) {
            // The server's own word: nothing was written.
            refused.add(key);
        }
        return code;
    }

    int count() {
        return acknowledged.size();
    }

    /// Waits until so many more were acknowledged.
    void awaitMore(int count) throws InterruptedException {
        awaitSize(acknowledged, acknowledged.size() + count);
    }

    /// Waits until so many more were refused.
    void awaitRefused(int count) throws InterruptedException {
        awaitSize(refused, refused.size() + count);
    }

    private static void awaitSize(Collection<?> keys, int size) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (keys.size() < size) {
            assertThat(System.nanoTime()).as("no more than %s", keys.size()).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    /// The keys that the server has of all loads.
    Set<Long> rows() {
        var rows =
                SessionRetryContext.create(client)
                        .build()
                        .supplyResult(
                                session ->
                                        QueryReader.readFrom(
                                                session.createQuery(
                                                        "SELECT k FROM t", TxMode.SNAPSHOT_RO)))
                        .join()
                        .getValue()
                        .getResultSet(0);
        Set<Long> keys = new TreeSet<>();
        while (rows.next()) {
            keys.add(rows.getColumn("k").getUint64());
        }
        return keys;
    }

    /// Every acknowledged row is among these, and none that was refused.
    void check(Set<Long> rows) {
        assertThat(rows).containsAll(acknowledged);
        assertThat(rows).noneMatch(refused::contains);
    }

    /// Waits for what is under way.
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            assertThat(thread.join(PATIENCE)).isTrue();
        }
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
        transport.close();
    }
}
