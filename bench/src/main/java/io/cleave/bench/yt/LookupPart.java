package io.cleave.bench.yt;

import io.cleave.bench.Figures;
import io.cleave.bench.Load;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.yt.YtBenchmark.Contender;

import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.Session;
import tech.ydb.table.TableClient;
import tech.ydb.table.settings.ReadRowsSettings;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/// A lookup of one key over HTTP, beside an echo of the same bytes and beside ReadRows over gRPC.
final class LookupPart {
    private static final StructType KEY = StructType.of("key", PrimitiveType.Int64);
    private static final int REQUESTS = 1_000;

    private final YtBenchmark benchmark;
    private final ServerProcess server;
    private final YtTables tables;

    LookupPart(YtBenchmark benchmark, ServerProcess server, YtTables tables) {
        this.benchmark = benchmark;
        this.server = server;
        this.tables = tables;
    }

    void run(Figures figures) throws Exception {
        tables.makePlainOnce();
        String path = URI.create(server.endpoint()).getPath() + "/tmp/plain";
        byte[] answer;
        try (var link = new HttpLink(tables.address())) {
            answer = link.send(requests(link, 0)[0]);
        }
        try (var echo = EchoRunner.start(answer);
                var transport = SelectPart.transport(server);
                var client = TableClient.newClient(transport).sessionPoolSize(1, 64).build()) {
            List<Double> micros =
                    benchmark.compare(
                            new Contender(
                                    server::cpuTime, index -> asking(tables.address(), index)),
                            new Contender(echo::cpuTime, index -> asking(echo.address(), index)),
                            new Contender(server::cpuTime, _ -> new ReadingRows(server, path)),
                            new Contender(server::cpuTime, _ -> new ReadingRows(client, path)));
            figures.print("lookup of 1 key", micros.get(0), "us of server CPU");
            figures.print("echo of the same bytes", micros.get(1), "us of server CPU");
            figures.print("ReadRows of 1 key, gRPC", micros.get(2), "us of server CPU");
            figures.print("the same on one shared connection", micros.get(3), "us of server CPU");
            figures.printWithBarAtMost(
                    1.5, "lookup of 1 key / echo", micros.get(0) / micros.get(1), "x");
            figures.printWithBarAtMost(
                    2, "lookup of 1 key / ReadRows", micros.get(0) / micros.get(2), "x");
            figures.print("lookup / ReadRows, shared", micros.get(0) / micros.get(3), "x");
        }
    }

    private static Asking asking(String address, int client) throws Exception {
        return new Asking(address, link -> requests(link, client), 20);
    }

    private static byte[][] requests(HttpLink link, int client) {
        var random = new Random(client);
        byte[][] requests = new byte[REQUESTS][];
        for (int index = 0; index < REQUESTS; index++) {
            requests[index] =
                    link.request(
                            "PUT",
                            "/api/v4/lookup_rows",
                            YtTables.inputParameters(YtTables.PLAIN),
                            YtTables.keys(random.nextInt(YtTables.KEYS)));
        }
        return requests;
    }

    /// Reads one row at a time through YDB's SDK.
    private static final class ReadingRows implements Load.Client {
        private final Session session;
        private final String path;
        private final List<AutoCloseable> own;

        /// On a connection that is shared.
        ReadingRows(TableClient shared, String path) {
            this(shared, path, List.of());
        }

        /// On a connection of its own, as the clients of the other side have.
        ReadingRows(ServerProcess server, String path) {
            this(SelectPart.transport(server), path);
        }

        private ReadingRows(GrpcTransport transport, String path) {
            this(TableClient.newClient(transport).build(), path, List.of(transport));
        }

        private ReadingRows(TableClient client, String path, List<AutoCloseable> own) {
            session = client.createSession(Duration.ofSeconds(10)).join().getValue();
            this.path = path;
            this.own = own;
        }

        @Override
        public void ask(RandomGenerator random) {
            var settings =
                    ReadRowsSettings.newBuilder()
                            .addKey(
                                    KEY.newValue(
                                            "key",
                                            PrimitiveValue.newInt64(random.nextInt(YtTables.KEYS))))
                            .addColumns("key", "name", "amount")
                            .build();
            var rows = session.readRows(path, settings).join().getValue().getResultSetReader();
            if (rows.getRowCount() != 1) {
                throw new IllegalStateException("%d rows".formatted(rows.getRowCount()));
            }
        }

        @Override
        public void close() {
            session.close();
            SelectPart.close(own);
        }
    }
}
