package io.cleave.bench;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.Session;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;
import tech.ydb.table.settings.RenameTablesSettings;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// A table of a gigabyte in one tablet.
final class WideRows implements AutoCloseable {
    static final String TABLE = "wide";
    static final String SMALL = "small";
    static final int ROW_COUNT = 1_000_000;
    private static final int TEXT_BYTES = 1_000;
    private static final int ROWS_A_LOAD = 2_000;
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Bytes);
    private static final String OPTIONS =
            " (id Uint64 NOT NULL, text String, PRIMARY KEY (id))"
                    + " WITH (AUTO_PARTITIONING_BY_SIZE = DISABLED)";

    private final String database;
    private final GrpcTransport transport;
    private final QueryClient client;
    private final TableClient tables;

    WideRows(String endpoint) {
        var uri = URI.create(endpoint);
        database = uri.getPath();
        String address = uri.getScheme() + "://" + uri.getAuthority();
        transport = GrpcTransport.forEndpoint(address, database).build();
        client = QueryClient.newClient(transport).build();
        tables = TableClient.newClient(transport).build();
    }

    void load() {
        load(TABLE, ROW_COUNT);
    }

    /// Creates a table with this many rows of a thousand bytes each.
    void load(String table, int rowCount) {
        execute("CREATE TABLE " + table + OPTIONS);
        var random = new Random(1);
        byte[] text = new byte[TEXT_BYTES];
        for (int from = 0; from < rowCount; from += ROWS_A_LOAD) {
            Value<?>[] rows = new Value<?>[ROWS_A_LOAD];
            for (int index = 0; index < ROWS_A_LOAD; index++) {
                random.nextBytes(text);
                rows[index] =
                        ROW.newValue(
                                "id",
                                PrimitiveValue.newUint64(from + index),
                                "text",
                                PrimitiveValue.newBytes(text.clone()));
            }
            var list = ListType.of(ROW).newValue(List.of(rows));
            inSession(session -> session.executeBulkUpsert(database + "/" + table, list));
        }
    }

    private void inSession(Function<Session, CompletableFuture<Status>> call) {
        SessionRetryContext.create(tables).build().supplyStatus(call).join().expectSuccess();
    }

    void createSmall() {
        execute("CREATE TABLE " + SMALL + OPTIONS);
    }

    void expectRow(long id) {
        try (QuerySession session = open()) {
            var params = Params.of("$id", PrimitiveValue.newUint64(id));
            String text = "DECLARE $id AS Uint64; SELECT text FROM wide WHERE id = $id";
            int rows =
                    QueryReader.readFrom(session.createQuery(text, TxMode.SNAPSHOT_RO, params))
                            .join()
                            .getValue()
                            .getResultSet(0)
                            .getRowCount();
            if (rows != 1) {
                throw new IllegalStateException("row " + id + " is not there");
            }
        }
    }

    void rename(String from, String to) {
        rename(from, to, false);
    }

    /// Replaces a table by another one.
    void replace(String from, String to) {
        rename(from, to, true);
    }

    private void rename(String from, String to, boolean replace) {
        var settings =
                new RenameTablesSettings()
                        .addTable(database + "/" + from, database + "/" + to, replace);
        inSession(session -> session.renameTables(settings));
    }

    void copy(String from, String to) {
        inSession(session -> session.copyTable(database + "/" + from, database + "/" + to));
    }

    void execute(String text) {
        try (QuerySession session = open()) {
            session.createQuery(text, TxMode.NONE).execute().join().getStatus().expectSuccess();
        }
    }

    private QuerySession open() {
        return client.createSession(Duration.ofSeconds(10)).join().getValue();
    }

    @Override
    public void close() {
        client.close();
        tables.close();
        transport.close();
    }
}
