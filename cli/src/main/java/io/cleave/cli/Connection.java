package io.cleave.cli;

import org.jspecify.annotations.Nullable;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Issue;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.UnexpectedResultException;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryStream;
import tech.ydb.query.result.QueryInfo;
import tech.ydb.query.result.QueryResultPart;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.scheme.description.Entry;
import tech.ydb.scheme.description.EntryType;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/// A connection to a server, through the SDK of YDB.
final class Connection implements AutoCloseable {
    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);
    private static final int CONNECT_MILLIS = 3_000;

    /// The depth of directories below the database in which tables are searched.
    private static final int MAX_DEPTH = 8;

    private final GrpcTransport transport;
    private final QueryClient queries;
    private final SchemeClient scheme;

    private Connection(GrpcTransport transport) {
        this.transport = transport;
        this.queries = QueryClient.newClient(transport).build();
        this.scheme = SchemeClient.newClient(transport).build();
    }

    /// Throws [UnreachableException] with one line for the user.
    static Connection open(Endpoint endpoint) throws UnreachableException {
        // The SDK would retry for a long time and then report a failure of discovery.
        try (var socket = new Socket()) {
            var address = new InetSocketAddress(endpoint.host(), endpoint.port());
            socket.connect(address, CONNECT_MILLIS);
        } catch (IOException e) {
            throw new UnreachableException(
                    "no server answers at " + endpoint + "; start one with ./cleave start", e);
        }
        try {
            return new Connection(
                    GrpcTransport.forEndpoint(endpoint.address(), endpoint.database()).build());
        } catch (IllegalStateException e) {
            // The SDK reports a failed discovery by this exception; its cause has the reason.
            throw new UnreachableException(
                    "the server at " + endpoint + " refused: " + refusal(e), e);
        }
    }

    private static String refusal(IllegalStateException e) {
        if (e.getCause() instanceof UnexpectedResultException cause) {
            Status status = cause.getStatus();
            return status.getIssues().length == 0
                    ? status.getCode().name()
                    : status.getIssues()[0].getMessage();
        }
        return String.valueOf(e.getMessage());
    }

    /// Runs one query and prints its rows. Returns whether it succeeded; if not, the reason has
    /// been printed to `errors`.
    boolean run(Script.Query query, PrintStream out, PrintStream errors) {
        var report = new ErrorReport(errors, query.text());
        Result<QuerySession> opened = queries.createSession(SESSION_WAIT).join();
        if (!opened.isSuccess()) {
            report.failed(opened.getStatus());
            return false;
        }
        try (QuerySession session = opened.getValue()) {
            TxMode mode =
                    switch (query.kind()) {
                        case SCHEME, BATCH -> TxMode.NONE;
                        case DATA -> TxMode.SERIALIZABLE_RW;
                    };
            var rows = new Rows(out, report);
            Result<QueryInfo> result;
            try {
                result = session.createQuery(query.text(), mode).execute(rows).join();
            } catch (CompletionException e) {
                // The SDK does not support every type, for example DyNumber.
                report.unreadable(e.getCause() == null ? e : e.getCause());
                return false;
            }
            rows.finish();
            Status status = result.getStatus();
            if (!status.isSuccess()) {
                report.failed(status);
            } else if (rows.isEmpty()) {
                out.println("ok");
            }
            return status.isSuccess();
        }
    }

    /// The paths of all tables, relative to the database, in alphabetical order.
    List<String> tables() {
        List<String> tables = new ArrayList<>();
        addTables("", 0, tables::add);
        return tables.stream().sorted().toList();
    }

    private void addTables(String directory, int depth, Consumer<String> tables) {
        var listed = scheme.listDirectory(transport.getDatabase() + "/" + directory).join();
        if (!listed.isSuccess()) {
            return;
        }
        for (Entry entry : listed.getValue().getEntryChildren()) {
            String path = directory + entry.getName();
            if (entry.getType() == EntryType.TABLE) {
                tables.accept(path);
            } else if (entry.getType() == EntryType.DIRECTORY
                    && depth < MAX_DEPTH
                    && !entry.getName().startsWith(".")) {
                addTables(path + "/", depth + 1, tables);
            }
        }
    }

    @Override
    public void close() {
        queries.close();
        scheme.close();
        transport.close();
    }

    /// Prints result sets, which arrive in parts, one set after the other.
    private static final class Rows implements QueryStream.PartsHandler {
        private final PrintStream out;
        private final ErrorReport report;
        private @Nullable ResultTable table;
        private long tableIndex;

        private Rows(PrintStream out, ErrorReport report) {
            this.out = out;
            this.report = report;
        }

        @Override
        public void onIssues(Issue[] issues) {
            report.warned(issues);
        }

        @Override
        public void onNextPart(QueryResultPart part) {
            if (table == null || tableIndex != part.getResultSetIndex()) {
                finish();
                table = new ResultTable(out);
                tableIndex = part.getResultSetIndex();
            }
            table.add(part.getResultSetReader());
        }

        boolean isEmpty() {
            return table == null;
        }

        void finish() {
            if (table != null) {
                table.finish();
            }
        }
    }

    /// The server cannot be reached; the message is one line for the user.
    static final class UnreachableException extends Exception {
        UnreachableException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
