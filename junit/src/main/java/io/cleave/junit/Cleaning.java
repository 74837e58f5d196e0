package io.cleave.junit;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.scheme.description.Entry;
import tech.ydb.scheme.description.EntryType;

import java.time.Duration;

/// Drops every table and directory of a database.
final class Cleaning {
    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);

    private final GrpcTransport transport;

    Cleaning(GrpcTransport transport) {
        this.transport = transport;
    }

    void run() {
        try (QueryClient queries = QueryClient.newClient(transport).build();
                SchemeClient scheme = SchemeClient.newClient(transport).build();
                QuerySession session = queries.createSession(SESSION_WAIT).join().getValue()) {
            empty(transport.getDatabase(), scheme, session);
        }
    }

    private static void empty(String directory, SchemeClient scheme, QuerySession session) {
        for (Entry entry : scheme.listDirectory(directory).join().getValue().getEntryChildren()) {
            String path = directory + "/" + entry.getName();
            if (entry.getName().startsWith(".")) {
                continue; // the system's own
            }
            if (entry.getType() == EntryType.DIRECTORY) {
                empty(path, scheme, session);
                scheme.removeDirectory(path).join().expectSuccess("removing " + path);
            } else {
                String kind = entry.getType() == EntryType.VIEW ? "VIEW" : "TABLE";
                session.createQuery("DROP " + kind + " `" + path + "`", TxMode.NONE)
                        .execute()
                        .join()
                        .getStatus()
                        .expectSuccess("dropping " + path);
            }
        }
    }
}
