package io.cleave.bench.yt;

import io.cleave.bench.Figures;
import io.cleave.bench.Load;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.yt.YtBenchmark.Contender;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// A query of a hundred rows by the column from which the key's hash is computed, in both
/// languages.
final class SelectPart {
    private static final int KEYS = YtTables.KEYS / YtTables.ITEMS;

    private final YtBenchmark benchmark;
    private final ServerProcess server;
    private final YtTables tables;

    SelectPart(YtBenchmark benchmark, ServerProcess server, YtTables tables) {
        this.benchmark = benchmark;
        this.server = server;
        this.tables = tables;
    }

    void run(Figures figures) throws Exception {
        tables.makeHashed();
        try (var transport = transport(server);
                var client = QueryClient.newClient(transport).sessionPoolMaxSize(64).build()) {
            List<Double> micros =
                    benchmark.compare(
                            new Contender(server::cpuTime, _ -> asking()),
                            new Contender(server::cpuTime, _ -> new Querying(server)),
                            new Contender(server::cpuTime, _ -> new Querying(client)));
            figures.print("select_rows of 100 rows", micros.get(0), "us of server CPU");
            figures.print("the same in YQL, gRPC", micros.get(1), "us of server CPU");
            figures.print("the same on one shared connection", micros.get(2), "us of server CPU");
            figures.printWithBarAtMost(
                    1.2, "select_rows / YQL", micros.get(0) / micros.get(1), "x");
            figures.print("select_rows / YQL, shared", micros.get(0) / micros.get(2), "x");
        }
    }

    private Asking asking() throws Exception {
        return new Asking(tables.address(), SelectPart::requests, 20 * YtTables.ITEMS);
    }

    private static byte[][] requests(HttpLink link) {
        byte[][] requests = new byte[KEYS][];
        for (int key = 0; key < KEYS; key++) {
            String parameters =
                    "{query=\"key, item, name from [%s] where key = {k}\";placeholder_values={k=%d};output_format=<format=binary>yson}"
                            .formatted(YtTables.HASHED, key);
            requests[key] = link.request("GET", "/api/v4/select_rows", parameters, new byte[0]);
        }
        return requests;
    }

    static GrpcTransport transport(ServerProcess server) {
        URI uri = URI.create(server.endpoint());
        return GrpcTransport.forEndpoint(
                        uri.getScheme() + "://" + uri.getAuthority(), uri.getPath())
                .build();
    }

    static void close(List<AutoCloseable> own) {
        for (AutoCloseable each : own) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Asks in YQL. The clients of a real load are processes with a connection each, as those of
    /// the other side are here; sessions of one process share a connection.
    private static final class Querying implements Load.Client {
        private final QuerySession session;
        private final List<AutoCloseable> own;

        Querying(QueryClient shared) {
            this(shared, List.of());
        }

        Querying(ServerProcess server) {
            this(transport(server));
        }

        private Querying(GrpcTransport transport) {
            this(QueryClient.newClient(transport).build(), transport);
        }

        private Querying(QueryClient client, GrpcTransport transport) {
            this(client, List.of(client, transport));
        }

        private Querying(QueryClient client, List<AutoCloseable> own) {
            session = client.createSession(Duration.ofSeconds(10)).join().getValue();
            this.own = own;
        }

        @Override
        public void ask(RandomGenerator random) {
            var rows =
                    QueryReader.readFrom(
                                    session.createQuery(
                                            "DECLARE $k AS Int64; SELECT key, item, name FROM"
                                                    + " `tmp/hashed` WHERE key = $k",
                                            TxMode.SNAPSHOT_RO,
                                            Params.of(
                                                    "$k",
                                                    PrimitiveValue.newInt64(random.nextInt(KEYS)))))
                            .join()
                            .getValue()
                            .getResultSet(0);
            if (rows.getRowCount() != YtTables.ITEMS) {
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
