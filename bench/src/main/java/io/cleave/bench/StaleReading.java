package io.cleave.bench;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Status;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.PrimitiveValue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Read replicas: how far they lag behind under writes, and what stale reads notice when the
/// leader's cell hangs.
final class StaleReading {
    private static final int WRITERS = 8;
    private static final int READERS = 8;
    private static final int ROW_COUNT = 10_000;
    private static final int BODY_BYTES = 100;

    /// Longer than a replica remembers its lag.
    private static final Duration LOAD = Duration.ofSeconds(40);

    private static final Duration FROZEN = Duration.ofSeconds(60);
    private static final String READ =
            "DECLARE $id AS Uint64; SELECT body FROM bodies WHERE id = $id";
    private static final String LAG =
            "SELECT CAST(MAX(LagP50) AS Int64) AS half, CAST(MAX(LagP99) AS Int64) AS high,"
                    + " SUM(Reads) AS reads FROM `.sys/read_replicas`";

    private final Figures figures;

    StaleReading(Figures figures) {
        this.figures = figures;
    }

    void run() throws Exception {
        try (var server = ServerProcess.start("--allow-freeze");
                var table = new BodyTable(server.endpoint());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            table.create("READ_REPLICAS_SETTINGS = 'PER_AZ:2'");
            load(table);
            underWrites(table, threads);
            frozen(server, table, threads);
        }
    }

    private static void load(BodyTable table) {
        try (QuerySession session = table.open()) {
            for (long from = 0; from < ROW_COUNT; from += 1000) {
                long[] ids = new long[1000];
                for (int index = 0; index < ids.length; index++) {
                    ids[index] = from + index;
                }
                BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids)
                        .expectSuccess();
            }
        }
    }

    private void underWrites(BodyTable table, ExecutorService threads) throws Exception {
        var ended = new AtomicBoolean();
        var written = new AtomicLong();
        List<Future<?>> running = new ArrayList<>();
        for (int index = 0; index < WRITERS; index++) {
            running.add(threads.submit(() -> write(table, ended, written)));
        }
        Thread.sleep(LOAD);
        ResultSetReader lag = lag(table);
        ended.set(true);
        for (Future<?> writer : running) {
            var _ = writer.get();
        }
        figures.print("writes in a second", written.get() / (double) LOAD.toSeconds(), "");
        figures.print("lag of replicas p50", lag.getColumn("half").getInt64() / 1e3, "ms");
        figures.printWithBarAtMost(
                20, "lag of replicas p99", lag.getColumn("high").getInt64() / 1e3, "ms");
    }

    private static void write(BodyTable table, AtomicBoolean ended, AtomicLong written) {
        var random = ThreadLocalRandom.current();
        try (QuerySession session = table.open()) {
            while (!ended.get()) {
                BodyTable.write(session, random, BODY_BYTES, random.nextLong(ROW_COUNT))
                        .expectSuccess();
                written.incrementAndGet();
            }
        }
    }

    private static ResultSetReader lag(BodyTable table) {
        try (QuerySession session = table.open()) {
            ResultSetReader rows =
                    QueryReader.readFrom(session.createQuery(LAG, TxMode.SNAPSHOT_RO))
                            .join()
                            .getValue()
                            .getResultSet(0);
            if (!rows.next()) {
                throw new IllegalStateException("no read replicas");
            }
            return rows;
        }
    }

    private void frozen(ServerProcess server, BodyTable table, ExecutorService threads)
            throws Exception {
        long before = lag(table).getColumn("reads").getUint64();
        freeze(server);
        long from = System.nanoTime();
        Future<Double> held = threads.submit(() -> heldSeconds(table));
        var failed = new AtomicLong();
        List<Future<Samples>> running = new ArrayList<>();
        for (int index = 0; index < READERS; index++) {
            running.add(threads.submit(() -> read(table, from + FROZEN.toNanos(), failed)));
        }
        List<Samples> answers = new ArrayList<>();
        for (Future<Samples> reader : running) {
            answers.add(reader.get());
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        double answered = answers.stream().mapToInt(Samples::count).sum();
        figures.print("frozen: a write was held up for", held.get(), "s");
        figures.print("frozen: stale reads in a second", answered / seconds, "");
        figures.print("frozen: stale read p99", Samples.millisAt(answers, 990), "ms");
        figures.print("frozen: longest stale read", Samples.millisAt(answers, 1000), "ms");
        figures.print(
                "frozen: answered by replicas",
                (double) (lag(table).getColumn("reads").getUint64() - before),
                "");
        figures.printWithBarAtLeast(
                (double) FROZEN.toSeconds(), "frozen: stale reads went on for", seconds, "s");
        figures.printWithBarAtMost(0, "frozen: stale reads that failed", (double) failed.get(), "");
    }

    private static void freeze(ServerProcess server) throws IOException, InterruptedException {
        URI uri =
                URI.create(server.console() + "/freeze?cell=1&seconds=" + (FROZEN.toSeconds() + 1));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(uri)
                                    .header("X-Cleave", "1")
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.body());
            }
        }
    }

    /// How long a write that starts now waits until the cell continues.
    private static double heldSeconds(BodyTable table) {
        long from = System.nanoTime();
        try (QuerySession session = table.open()) {
            BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, 1).expectSuccess();
        }
        return (System.nanoTime() - from) / 1e9;
    }

    private static Samples read(BodyTable table, long until, AtomicLong failed) {
        var samples = new Samples();
        try (QuerySession session = table.open()) {
            while (System.nanoTime() - until < 0) {
                long from = System.nanoTime();
                if (!readOne(session).isSuccess()) {
                    failed.incrementAndGet();
                }
                samples.add(System.nanoTime() - from);
            }
        }
        return samples;
    }

    private static Status readOne(QuerySession session) {
        long id = ThreadLocalRandom.current().nextLong(ROW_COUNT);
        var params = Params.of("$id", PrimitiveValue.newUint64(id));
        return QueryReader.readFrom(session.createQuery(READ, TxMode.STALE_RO, params))
                .join()
                .getStatus();
    }
}
