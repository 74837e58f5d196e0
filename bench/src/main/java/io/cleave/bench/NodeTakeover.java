package io.cleave.bench;

import io.cleave.bookkeeper.BookKeeperSettings;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Kills a server with 64 MB in its log while another one waits to take over. Measures the time
/// from the kill until an upsert on the other server is acknowledged.
final class NodeTakeover {
    private static final int TURNS = 3;
    private static final int ROWS = 64 << 10;
    private static final int ROWS_A_WRITE = 512;
    private static final String TEXT = "0123456789abcdef".repeat(64);

    /// By then the other server has started and requests the lease, for up to 15 s.
    private static final Duration WAITING = Duration.ofSeconds(5);

    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Text);
    private static final String WRITE =
            """
            DECLARE $rows AS List<Struct<id: Uint64, text: Utf8>>;
            UPSERT INTO rows SELECT id, text FROM AS_TABLE($rows)\
            """;

    private final BookKeeperSettings settings;

    NodeTakeover(BookKeeperSettings settings) {
        this.settings = settings;
    }

    void run(BookKeeperBars bars) throws Exception {
        double[] seconds = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            seconds[turn] = takeOver(settings.withRoot("/bench-takeover-" + turn));
        }
        Arrays.sort(seconds);
        bars.tell(
                "server taken over after SIGKILL: lease, fence, 64 MB replayed, first upsert",
                "s",
                seconds[TURNS / 2],
                "");
    }

    private static double takeOver(BookKeeperSettings storage) throws Exception {
        try (ServerProcess leader = ServerProcess.startOn(storage);
                var threads = Executors.newSingleThreadExecutor()) {
            fill(leader.endpoint());
            Callable<ServerProcess> starting = () -> ServerProcess.startOn(storage);
            Future<ServerProcess> started = threads.submit(starting);
            Thread.sleep(WAITING);
            if (started.isDone()) {
                throw new IllegalStateException("the other server did not wait");
            }
            long from = System.nanoTime();
            leader.kill();
            try (ServerProcess next = started.get();
                    var client = new Client(next.endpoint())) {
                client.write(ROWS, 1);
                double seconds = (System.nanoTime() - from) / 1e9;
                long found = client.count();
                if (found != ROWS + 1) {
                    throw new IllegalStateException(found + " rows of " + (ROWS + 1));
                }
                return seconds;
            }
        }
    }

    private static void fill(String endpoint) {
        try (var client = new Client(endpoint)) {
            client.createTable();
            for (int row = 0; row < ROWS; row += ROWS_A_WRITE) {
                client.write(row, ROWS_A_WRITE);
            }
        }
    }

    private static final class Client implements AutoCloseable {
        private final GrpcTransport transport;
        private final QueryClient client;
        private final QuerySession session;

        Client(String endpoint) {
            var uri = URI.create(endpoint);
            String address = uri.getScheme() + "://" + uri.getAuthority();
            transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
            client = QueryClient.newClient(transport).build();
            session = client.createSession(SESSION_WAIT).join().getValue();
        }

        void createTable() {
            session.createQuery(
                            "CREATE TABLE rows (id Uint64 NOT NULL, text Utf8, PRIMARY KEY (id))",
                            TxMode.NONE)
                    .execute()
                    .join()
                    .getStatus()
                    .expectSuccess();
        }

        void write(int from, int count) {
            Value<?>[] rows = new Value<?>[count];
            for (int index = 0; index < count; index++) {
                rows[index] =
                        ROW.newValue(
                                "id",
                                PrimitiveValue.newUint64(from + index),
                                "text",
                                PrimitiveValue.newText(TEXT));
            }
            var list = ListType.of(ROW).newValue(List.of(rows));
            session.createQuery(WRITE, TxMode.SERIALIZABLE_RW, Params.of("$rows", list))
                    .execute()
                    .join()
                    .getStatus()
                    .expectSuccess();
        }

        long count() {
            var rows =
                    QueryReader.readFrom(
                                    session.createQuery(
                                            "SELECT COUNT(*) AS n FROM rows", TxMode.SNAPSHOT_RO))
                            .join()
                            .getValue()
                            .getResultSet(0);
            if (!rows.next()) {
                throw new IllegalStateException("no count");
            }
            return rows.getColumn("n").getUint64();
        }

        @Override
        public void close() {
            session.close();
            client.close();
            transport.close();
        }
    }
}
