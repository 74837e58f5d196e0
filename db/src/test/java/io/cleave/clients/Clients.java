package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.ServerProcess;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// YDB's own clients, connected to a server in another process.
public final class Clients implements AutoCloseable {
    private final ServerProcess server;
    private final GrpcTransport transport;
    private final QueryClient queries;
    private final TableClient tables;
    private final SchemeClient schemes;
    private final SessionRetryContext retries;
    private final AtomicInteger directoryCount = new AtomicInteger();

    Clients(ServerProcess server) {
        this.server = server;
        transport = GrpcTransport.forConnectionString(server.endpoint()).build();
        queries = QueryClient.newClient(transport).build();
        tables = TableClient.newClient(transport).build();
        schemes = SchemeClient.newClient(transport).build();
        retries = SessionRetryContext.create(queries).build();
    }

    static Clients ofNewServer() {
        try {
            // Stays until the next clean, with what the server printed.
            Path target = Files.createDirectories(Path.of("target"));
            Path folder = Files.createTempDirectory(target, "clients");
            return new Clients(ServerProcess.start(folder.resolve("data")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ServerProcess server() {
        return server;
    }

    GrpcTransport transport() {
        return transport;
    }

    QueryClient queries() {
        return queries;
    }

    TableClient tables() {
        return tables;
    }

    SchemeClient schemes() {
        return schemes;
    }

    SessionRetryContext retries() {
        return retries;
    }

    /// An absolute path that no other test uses.
    String newDirectory() {
        return transport.getDatabase() + "/test" + directoryCount.incrementAndGet();
    }

    /// Runs a text of DDL.
    void define(String text) {
        read(text, TxMode.NONE, Params.empty());
    }

    /// The result of a text that must succeed, in a transaction of its own.
    QueryReader query(String text) {
        return read(text, TxMode.SERIALIZABLE_RW, Params.empty());
    }

    QueryReader query(String text, Params params) {
        return read(text, TxMode.SERIALIZABLE_RW, params);
    }

    QueryReader read(String text, TxMode mode, Params params) {
        Result<QueryReader> result = tryQuery(text, mode, params);
        assertThat(result.getStatus()).as(text).matches(Status::isSuccess);
        return result.getValue();
    }

    Result<QueryReader> tryQuery(String text, TxMode mode, Params params) {
        return retries.supplyResult(
                        session -> QueryReader.readFrom(session.createQuery(text, mode, params)))
                .join();
    }

    /// The rows of the only result set of a text.
    List<String> rows(String text) {
        return Rows.of(query(text).getResultSet(0));
    }

    @Override
    public void close() {
        disconnect();
        server.close();
    }

    /// Leaves the server as it is.
    void disconnect() {
        queries.close();
        tables.close();
        transport.close();
    }
}
