package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.clients.WriterModel.Key;
import io.cleave.testkit.ServerProcess;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.result.ResultSetReader;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// A server is killed again and again under writers, and started again on the same storage.
/// Whatever it had acknowledged is there, no transaction is there in part, and nothing else is.
public final class KillRounds {
    static final int WRITER_COUNT = 8;

    private static final int MAX_ACKNOWLEDGED_PER_ROUND = 150;
    private static final long MAX_EXTRA_NANOS = 20_000_000;
    private static final Duration ROUND_PATIENCE = Duration.ofSeconds(60);

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<WriterModel> models =
            IntStream.range(0, WRITER_COUNT).mapToObj(index -> new WriterModel()).toList();

    /// Each time it is asked, `servers` starts one on the same storage.
    public void run(int kills, Supplier<ServerProcess> servers) {
        System.out.println("kills: -Dseed=" + seed);
        for (int round = 0; round < kills; round++) {
            try (ServerProcess server = servers.get();
                    GrpcTransport transport = connect(server);
                    QueryClient client = QueryClient.newClient(transport).build()) {
                if (round == 0) {
                    createTables(client);
                }
                checkRows(client, round);
                writeUntilKilled(server, client);
            }
        }
        try (ServerProcess server = servers.get();
                GrpcTransport transport = connect(server);
                QueryClient client = QueryClient.newClient(transport).build()) {
            checkRows(client, kills);
            assertThat(server.stop()).isZero();
        }
        assertThat(models.stream().mapToLong(WriterModel::acknowledgedCount).sum())
                .isGreaterThan(kills * 10L);
    }

    private static GrpcTransport connect(ServerProcess server) {
        return GrpcTransport.forConnectionString(server.endpoint()).build();
    }

    private static void createTables(QueryClient client) {
        var retries = SessionRetryContext.create(client).build();
        for (String table : KillWriter.TABLES) {
            retries.supplyResult(
                            session ->
                                    session.createQuery(
                                                    "CREATE TABLE `"
                                                            + table
                                                            + "` (id Uint64 NOT NULL, writer"
                                                            + " Int32, version Int64, payload"
                                                            + " Utf8, PRIMARY KEY (id)) WITH"
                                                            + " (UNIFORM_PARTITIONS = 6)",
                                                    TxMode.NONE)
                                            .execute(part -> {}))
                    .join()
                    .getStatus()
                    .expectSuccess();
        }
    }

    /// Every row that the server has is what its writer left there.
    private void checkRows(QueryClient client, int round) {
        List<Map<Key, Long>> found = new ArrayList<>();
        models.forEach(model -> found.add(new TreeMap<>()));
        var retries = SessionRetryContext.create(client).build();
        for (String table : KillWriter.TABLES) {
            String text = "SELECT writer, id, version, payload FROM `" + table + "`";
            ResultSetReader rows =
                    retries.supplyResult(
                                    session ->
                                            QueryReader.readFrom(
                                                    session.createQuery(text, TxMode.SNAPSHOT_RO)))
                            .join()
                            .getValue()
                            .getResultSet(0);
            while (rows.next()) {
                found.get(rows.getColumn("writer").getInt32())
                        .put(KillWriter.key(table, rows), KillWriter.version(table, rows));
            }
        }
        for (int writer = 0; writer < WRITER_COUNT; writer++) {
            try {
                models.get(writer).recover(found.get(writer));
            } catch (AssertionError e) {
                throw new AssertionError(
                        "writer " + writer + " after kill " + round + ", -Dseed=" + seed, e);
            }
        }
    }

    /// Starts the writers, kills the server at a random moment, and waits for the writers to
    /// notice.
    private void writeUntilKilled(ServerProcess server, QueryClient client) {
        var acknowledged = new AtomicLong();
        var killed = new AtomicBoolean();
        long enough = random.nextInt(MAX_ACKNOWLEDGED_PER_ROUND);
        long extraNanos = random.nextLong(MAX_EXTRA_NANOS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (int writer = 0; writer < WRITER_COUNT; writer++) {
                var own = new Random(random.nextLong());
                ends.add(
                        CompletableFuture.runAsync(
                                new KillWriter(
                                        writer,
                                        client,
                                        models.get(writer),
                                        own,
                                        acknowledged,
                                        killed),
                                threads));
            }
            Instant deadline = Instant.now().plus(ROUND_PATIENCE);
            while (acknowledged.get() < enough
                    && ends.stream().noneMatch(CompletableFuture::isDone)
                    && Instant.now().isBefore(deadline)) {
                LockSupport.parkNanos(1_000_000);
            }
            LockSupport.parkNanos(extraNanos);
            killed.set(true);
            server.kill();
            ends.forEach(CompletableFuture::join);
            assertThat(acknowledged.get())
                    .as("writes in %s; the server printed: %s", ROUND_PATIENCE, server.printed())
                    .isGreaterThanOrEqualTo(enough);
        }
    }
}
