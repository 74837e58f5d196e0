package io.cleave.bench.abuse;

import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.net.URI;
import java.util.List;

/// The table that all clients query: a million rows with a key, a unique label, and a text of 100
/// bytes.
final class BigTable {
    static final int ROWS = 1_000_000;

    static final String POINT = "DECLARE $id AS Uint64; SELECT label FROM big WHERE id = $id";
    static final String GROUPS =
            """
            SELECT COUNT(*), MAX(amount) FROM
            (SELECT label, COUNT(*) AS amount, MAX(text) AS largest FROM big GROUP BY label)\
            """;
    static final String CROSS_JOIN = "SELECT COUNT(*) FROM big AS a CROSS JOIN big AS b";
    static final String WHOLE = "SELECT * FROM big";

    private static final String ALL = "SELECT COUNT(*), MAX(label), MAX(text) FROM big";
    private static final String CREATE =
            "CREATE TABLE big (id Uint64 NOT NULL, label Utf8, text Utf8, PRIMARY KEY (id))";
    private static final StructType ROW =
            StructType.of(
                    "id",
                    PrimitiveType.Uint64,
                    "label",
                    PrimitiveType.Text,
                    "text",
                    PrimitiveType.Text);
    private static final int ROWS_A_BATCH = 10_000;
    private static final String TEXT = "0123456789".repeat(10);

    private BigTable() {}

    static void load(String endpoint, int rows) {
        var uri = URI.create(endpoint);
        String address = uri.getScheme() + "://" + uri.getAuthority();
        try (var transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
                var client = TableClient.newClient(transport).build()) {
            var retries = SessionRetryContext.create(client).build();
            retries.supplyStatus(session -> session.executeSchemeQuery(CREATE))
                    .join()
                    .expectSuccess();
            for (int from = 0; from < rows; from += ROWS_A_BATCH) {
                var list =
                        ListType.of(ROW).newValue(batch(from, Math.min(rows, from + ROWS_A_BATCH)));
                retries.supplyStatus(s -> s.executeBulkUpsert(uri.getPath() + "/big", list))
                        .join()
                        .expectSuccess();
            }
        }
    }

    /// Makes the server read the whole table twice, so that its caches are full before its memory
    /// is measured.
    static void warm(String endpoint) {
        var uri = URI.create(endpoint);
        String address = uri.getScheme() + "://" + uri.getAuthority();
        try (var transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
                var client = TableClient.newClient(transport).build()) {
            var retries = SessionRetryContext.create(client).build();
            for (int round = 0; round < 2; round++) {
                retries.supplyResult(s -> s.executeDataQuery(ALL, TxControl.snapshotRo()))
                        .join()
                        .getValue();
            }
        }
    }

    private static List<Value<?>> batch(int from, int to) {
        Value<?>[] rows = new Value<?>[to - from];
        for (int id = from; id < to; id++) {
            // The order of the labels is unrelated to the order of the keys.
            String label = "label %08x of a row".formatted(id * 0x9E3779B1);
            rows[id - from] =
                    ROW.newValue(
                            "id",
                            PrimitiveValue.newUint64(id),
                            "label",
                            PrimitiveValue.newText(label),
                            "text",
                            PrimitiveValue.newText(TEXT));
        }
        return List.of(rows);
    }
}
