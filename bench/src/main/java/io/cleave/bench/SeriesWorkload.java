package io.cleave.bench;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// One table of 100,000 rows with values of 100 bytes, in four tablets, and three kinds of clients.
final class SeriesWorkload implements AutoCloseable {
    private static final int ROW_COUNT = 100_000;
    private static final int ROWS_A_LOAD = 1_000;
    private static final int ROWS_A_RANGE = 100;
    private static final int MAX_CLIENTS = 64;
    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);
    private static final String TEXT = "0123456789".repeat(10);

    private static final String CREATE =
            """
            CREATE TABLE rows (id Uint64 NOT NULL, text Utf8, PRIMARY KEY (id))
            WITH (PARTITION_AT_KEYS = (25000, 50000, 75000))\
            """;
    private static final String LOAD =
            """
            DECLARE $rows AS List<Struct<id: Uint64, text: Utf8>>;
            UPSERT INTO rows SELECT id, text FROM AS_TABLE($rows)\
            """;
    private static final String READ =
            "DECLARE $id AS Uint64; SELECT text FROM rows WHERE id = $id";
    private static final String WRITE =
            """
            DECLARE $id AS Uint64; DECLARE $text AS Utf8;
            UPSERT INTO rows (id, text) VALUES ($id, $text)\
            """;
    private static final String RANGE =
            """
            DECLARE $from AS Uint64; DECLARE $to AS Uint64;
            SELECT id, text FROM rows WHERE id >= $from AND id < $to ORDER BY id\
            """;
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Text);

    private final GrpcTransport transport;
    private final QueryClient client;

    SeriesWorkload(String endpoint) {
        var uri = URI.create(endpoint);
        String address = uri.getScheme() + "://" + uri.getAuthority();
        transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
        client = QueryClient.newClient(transport).sessionPoolMaxSize(MAX_CLIENTS + 1).build();
    }

    void load() {
        try (QuerySession session = open()) {
            session.createQuery(CREATE, TxMode.NONE).execute().join().getStatus().expectSuccess();
            for (int from = 0; from < ROW_COUNT; from += ROWS_A_LOAD) {
                Value<?>[] rows = new Value<?>[ROWS_A_LOAD];
                for (int index = 0; index < ROWS_A_LOAD; index++) {
                    rows[index] =
                            ROW.newValue(
                                    "id", id(from + index), "text", PrimitiveValue.newText(TEXT));
                }
                ListValue list = ListType.of(ROW).newValue(List.of(rows));
                rowCount(session, LOAD, TxMode.SERIALIZABLE_RW, Params.of("$rows", list));
            }
        }
    }

    Load.Client pointReader(int clientIndex) {
        return new SessionClient(open()) {
            @Override
            public void ask(RandomGenerator random) {
                var params = Params.of("$id", id(random.nextInt(ROW_COUNT)));
                expect(1, rowCount(session, READ, TxMode.SNAPSHOT_RO, params));
            }
        };
    }

    Load.Client writer(int clientIndex) {
        return new SessionClient(open()) {
            @Override
            public void ask(RandomGenerator random) {
                var params =
                        Params.of(
                                "$id", id(random.nextInt(ROW_COUNT)),
                                "$text", PrimitiveValue.newText(TEXT));
                expect(0, rowCount(session, WRITE, TxMode.SERIALIZABLE_RW, params));
            }
        };
    }

    Load.Client rangeReader(int clientIndex) {
        return new SessionClient(open()) {
            @Override
            public void ask(RandomGenerator random) {
                int from = random.nextInt(ROW_COUNT - ROWS_A_RANGE);
                var params = Params.of("$from", id(from), "$to", id(from + ROWS_A_RANGE));
                expect(ROWS_A_RANGE, rowCount(session, RANGE, TxMode.SNAPSHOT_RO, params));
            }
        };
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }

    private QuerySession open() {
        return client.createSession(SESSION_WAIT).join().getValue();
    }

    private static PrimitiveValue id(long id) {
        return PrimitiveValue.newUint64(id);
    }

    private static int rowCount(QuerySession session, String text, TxMode mode, Params params) {
        QueryReader reader =
                QueryReader.readFrom(session.createQuery(text, mode, params)).join().getValue();
        return reader.getResultSetCount() == 0 ? 0 : reader.getResultSet(0).getRowCount();
    }

    private static void expect(int expected, int found) {
        if (found != expected) {
            throw new IllegalStateException(found + " rows instead of " + expected);
        }
    }

    private abstract static class SessionClient implements Load.Client {
        final QuerySession session;

        SessionClient(QuerySession session) {
            this.session = session;
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
