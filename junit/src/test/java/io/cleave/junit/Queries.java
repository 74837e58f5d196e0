package io.cleave.junit;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.scheme.description.Entry;
import tech.ydb.table.result.ResultSetReader;

import java.util.List;

/// What the tests ask of a server.
final class Queries {
    private Queries() {}

    static void run(GrpcTransport transport, String text) {
        try (QueryClient client = QueryClient.newClient(transport).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyResult(session -> session.createQuery(text, TxMode.NONE).execute())
                    .join()
                    .getStatus()
                    .expectSuccess(text);
        }
    }

    static ResultSetReader read(GrpcTransport transport, String text) {
        try (QueryClient client = QueryClient.newClient(transport).build()) {
            return SessionRetryContext.create(client)
                    .build()
                    .supplyResult(
                            session ->
                                    QueryReader.readFrom(
                                            session.createQuery(text, TxMode.SERIALIZABLE_RW)))
                    .join()
                    .getValue()
                    .getResultSet(0);
        }
    }

    /// Directories too; not those of the system.
    static List<String> tables(GrpcTransport transport) {
        try (SchemeClient scheme = SchemeClient.newClient(transport).build()) {
            return scheme
                    .listDirectory(transport.getDatabase())
                    .join()
                    .getValue()
                    .getEntryChildren()
                    .stream()
                    .map(Entry::getName)
                    .filter(name -> !name.startsWith("."))
                    .toList();
        }
    }
}
