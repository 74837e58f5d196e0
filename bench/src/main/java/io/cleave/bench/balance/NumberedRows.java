package io.cleave.bench.balance;

import io.cleave.bench.ServerProcess;
import io.cleave.bench.Tablets;
import io.cleave.bench.yt.HttpLink;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// A table of numbered rows of a thousand bytes, which YTsaurus' balancer has. It is made by YQL,
/// loaded by bulk upserts, and used by clients of YDB and of YTsaurus.
final class NumberedRows implements AutoCloseable {
    static final String NAME = "rows";

    private static final String WRITE =
            """
            DECLARE $id AS Uint64; DECLARE $text AS String;
            UPSERT INTO rows (id, text) VALUES ($id, $text)\
            """;
    private static final String READ =
            "DECLARE $id AS Uint64; SELECT text FROM rows WHERE id = $id";
    private static final int TEXT_BYTES = 1_000;
    private static final int NEW_TEXT_BYTES = 100;
    private static final int ROWS_A_LOAD = 2_000;
    private static final int LOADERS = 3;
    private static final int SESSIONS = 64;
    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofSeconds(3);

    /// What an idle server writes in [#QUIET] at most.
    private static final long QUIET_BYTES = 1 << 20;

    private static final String FORMATS =
            "input_format=<format=text>yson;output_format=<format=text>yson";
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Bytes);

    private final ServerProcess server;
    private final GrpcTransport transport;
    private final QueryClient client;
    private final TableClient bulk;
    private final int rowCount;

    /// `family` is a `FAMILY` of YQL with settings of the default family, or empty.
    NumberedRows(ServerProcess server, int megabytes, String family) throws Exception {
        this.server = server;
        var uri = URI.create(server.endpoint());
        String address = uri.getScheme() + "://" + uri.getAuthority();
        transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
        client = QueryClient.newClient(transport).sessionPoolMaxSize(SESSIONS).build();
        bulk = TableClient.newClient(transport).build();
        rowCount = (int) (((long) megabytes << 20) / TEXT_BYTES);
        // No round before the load has ended.
        set("//sys/tablet_balancer/config/schedule", "\"0\"");
        execute(
                "CREATE TABLE rows (id Uint64 NOT NULL, text String, PRIMARY KEY (id)"
                        + (family.isEmpty() ? "" : ", " + family)
                        + ") WITH (BALANCER = yt)");
        load();
        awaitQuiet();
    }

    private void load() throws Exception {
        var next = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int loader = 0; loader < LOADERS; loader++) {
                running.add(threads.submit(() -> load(next)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private void load(AtomicInteger next) {
        RandomGenerator random = ThreadLocalRandom.current();
        byte[] text = new byte[TEXT_BYTES];
        int from = next.getAndAdd(ROWS_A_LOAD);
        while (from < rowCount) {
            Value<?>[] rows = new Value<?>[Math.min(ROWS_A_LOAD, rowCount - from)];
            for (int index = 0; index < rows.length; index++) {
                random.nextBytes(text);
                rows[index] =
                        ROW.newValue(
                                "id",
                                PrimitiveValue.newUint64(from + index),
                                "text",
                                PrimitiveValue.newBytes(text.clone()));
            }
            var list = ListType.of(ROW).newValue(List.of(rows));
            SessionRetryContext.create(bulk)
                    .maxRetries(100)
                    .build()
                    .supplyStatus(session -> session.executeBulkUpsert("/local/rows", list))
                    .join()
                    .expectSuccess();
            from = next.getAndAdd(ROWS_A_LOAD);
        }
    }

    /// Waits until background work has ended.
    void awaitQuiet() throws Exception {
        long before = Long.MIN_VALUE / 2;
        while (server.bytesWritten() - before > QUIET_BYTES) {
            before = server.bytesWritten();
            Thread.sleep(QUIET);
        }
    }

    Tablets tablets() {
        return new Tablets(server.console(), NAME);
    }

    void execute(String text) {
        try (QuerySession session = open()) {
            session.createQuery(text, TxMode.NONE).execute().join().getStatus().expectSuccess();
        }
    }

    private QuerySession open() {
        return client.createSession(SESSION_WAIT).join().getValue();
    }

    /// Sets an attribute or a document of YTsaurus' tree; `value` is YSON.
    void set(String path, String value) throws IOException {
        try (var link = new HttpLink(server.ytProxy())) {
            byte[] body = value.getBytes(StandardCharsets.UTF_8);
            String parameters = "{path=\"%s\";input_format=<format=text>yson}".formatted(path);
            var _ = link.send(link.request("PUT", "/api/v4/set", parameters, body));
        }
    }

    /// Sets how many tablets the balancer gives the table.
    void wantTablets(int count) throws IOException {
        set("//" + NAME + "/@tablet_balancer_config/desired_tablet_count", "" + count);
    }

    /// From now on there is a round in every iteration.
    void letRoundsRun() throws IOException {
        set("//sys/tablet_balancer/config/period", "1000");
        set("//sys/tablet_balancer/config/schedule", "\"1\"");
    }

    void stopRounds() throws IOException {
        set("//sys/tablet_balancer/config/schedule", "\"0\"");
    }

    /// A client of YDB's SDK.
    Clients.Client sdkClient() {
        QuerySession session = open();
        return new Clients.Client() {
            @Override
            public void read(RandomGenerator random) {
                check(ask(session, READ, TxMode.SNAPSHOT_RO, Params.of("$id", id(random))));
            }

            @Override
            public void write(RandomGenerator random) {
                byte[] text = new byte[NEW_TEXT_BYTES];
                random.nextBytes(text);
                var params = Params.of("$id", id(random), "$text", PrimitiveValue.newBytes(text));
                check(ask(session, WRITE, TxMode.SERIALIZABLE_RW, params));
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }

    private PrimitiveValue id(RandomGenerator random) {
        return PrimitiveValue.newUint64(random.nextInt(rowCount));
    }

    private static Status ask(QuerySession session, String text, TxMode mode, Params params) {
        return QueryReader.readFrom(session.createQuery(text, mode, params)).join().getStatus();
    }

    private static void check(Status status) {
        if (!status.isSuccess()) {
            throw new IllegalStateException(status.toString());
        }
    }

    /// A client of YTsaurus' API, on a connection that it keeps.
    Clients.Client ytClient() throws IOException {
        var link = new HttpLink(server.ytProxy());
        String parameters = "{path=\"//%s\";%s}".formatted(NAME, FORMATS);
        return new Clients.Client() {
            @Override
            public void read(RandomGenerator random) throws IOException {
                String row = "{id=%du};".formatted(random.nextInt(rowCount));
                String found = new String(send("lookup_rows", row), StandardCharsets.UTF_8);
                if (!found.contains("text")) {
                    throw new IOException("a row is not there: " + found);
                }
            }

            @Override
            public void write(RandomGenerator random) throws IOException {
                String text = "x".repeat(NEW_TEXT_BYTES);
                var _ =
                        send(
                                "insert_rows",
                                "{id=%du;text=\"%s\"};".formatted(random.nextInt(rowCount), text));
            }

            private byte[] send(String command, String rows) throws IOException {
                byte[] body = rows.getBytes(StandardCharsets.UTF_8);
                return link.send(link.request("PUT", "/api/v4/" + command, parameters, body));
            }

            @Override
            public void close() throws IOException {
                link.close();
            }
        };
    }

    @Override
    public void close() {
        client.close();
        bulk.close();
        transport.close();
    }
}
