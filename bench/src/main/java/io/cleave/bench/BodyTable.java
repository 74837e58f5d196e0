package io.cleave.bench;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// A table of numbers with incompressible bodies, and its clients, which use the SDK. Clients never
/// retry: every answer counts as it is.
final class BodyTable implements AutoCloseable {
    static final String NAME = "bodies";

    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);
    private static final int SESSIONS = 64;
    private static final String WRITE =
            """
            DECLARE $rows AS List<Struct<id: Uint64, body: String>>;
            UPSERT INTO bodies SELECT id, body FROM AS_TABLE($rows)\
            """;
    private static final String ERASE =
            """
            DECLARE $rows AS List<Struct<id: Uint64>>;
            DELETE FROM bodies ON SELECT id FROM AS_TABLE($rows)\
            """;
    private static final String READ =
            "DECLARE $id AS Uint64; SELECT body FROM bodies WHERE id = $id";
    private static final String COUNTS =
            "SELECT TabletId, RowReads + RowUpdates + RangeReadRows AS rows FROM"
                    + " `.sys/partition_stats` WHERE Path = '/local/bodies'";
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "body", PrimitiveType.Bytes);
    private static final StructType KEY = StructType.of("id", PrimitiveType.Uint64);

    private final GrpcTransport transport;
    private final QueryClient client;

    BodyTable(String endpoint) {
        var uri = URI.create(endpoint);
        String address = uri.getScheme() + "://" + uri.getAuthority();
        transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
        client = QueryClient.newClient(transport).sessionPoolMaxSize(SESSIONS).build();
    }

    /// Drops the table if it exists, and creates it with these settings.
    void create(String settings) {
        try (QuerySession session = open()) {
            for (String text :
                    List.of(
                            "DROP TABLE IF EXISTS bodies",
                            "CREATE TABLE bodies (id Uint64 NOT NULL, body String, PRIMARY KEY"
                                    + " (id)) WITH ("
                                    + settings
                                    + ")")) {
                session.createQuery(text, TxMode.NONE).execute().join().getStatus().expectSuccess();
            }
        }
    }

    /// Changes settings of the existing table.
    void set(String settings) {
        try (QuerySession session = open()) {
            session.createQuery("ALTER TABLE bodies SET (" + settings + ")", TxMode.NONE)
                    .execute()
                    .join()
                    .getStatus()
                    .expectSuccess();
        }
    }

    QuerySession open() {
        return client.createSession(SESSION_WAIT).join().getValue();
    }

    static Status write(QuerySession session, RandomGenerator random, int bytes, long... ids) {
        Value<?>[] rows = new Value<?>[ids.length];
        for (int index = 0; index < ids.length; index++) {
            byte[] body = new byte[bytes];
            random.nextBytes(body);
            rows[index] = ROW.newValue("id", id(ids[index]), "body", PrimitiveValue.newBytes(body));
        }
        var params = Params.of("$rows", ListType.of(ROW).newValue(List.of(rows)));
        return run(session, WRITE, TxMode.SERIALIZABLE_RW, params).getStatus();
    }

    static Status erase(QuerySession session, long... ids) {
        Value<?>[] rows = new Value<?>[ids.length];
        for (int index = 0; index < ids.length; index++) {
            rows[index] = KEY.newValue("id", id(ids[index]));
        }
        var params = Params.of("$rows", ListType.of(KEY).newValue(List.of(rows)));
        return run(session, ERASE, TxMode.SERIALIZABLE_RW, params).getStatus();
    }

    static Status read(QuerySession session, long id) {
        return run(session, READ, TxMode.SNAPSHOT_RO, Params.of("$id", id(id))).getStatus();
    }

    /// How many rows were read or written in each tablet since the tablet exists.
    Map<Long, Long> counts() {
        try (QuerySession session = open()) {
            ResultSetReader rows =
                    run(session, COUNTS, TxMode.SNAPSHOT_RO, Params.empty())
                            .getValue()
                            .getResultSet(0);
            Map<Long, Long> counts = new HashMap<>();
            while (rows.next()) {
                counts.put(
                        rows.getColumn("TabletId").getUint64(), rows.getColumn("rows").getUint64());
            }
            return counts;
        }
    }

    private static Result<QueryReader> run(
            QuerySession session, String text, TxMode mode, Params params) {
        return QueryReader.readFrom(session.createQuery(text, mode, params)).join();
    }

    private static PrimitiveValue id(long id) {
        return PrimitiveValue.newUint64(id);
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}
