package io.cleave.junit;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.junit.jupiter.api.extension.ExtensionContext;

import tech.ydb.core.grpc.GrpcTransport;

import java.nio.file.Path;
import java.util.Optional;

/// The server of a test run.
public final class CleaveServer {
    private final Node node;
    private final GrpcTransport transport;

    private CleaveServer(Node node) {
        this.node = node;
        this.transport = GrpcTransport.forEndpoint(address(), database()).build();
    }

    static CleaveServer start(Optional<Path> folder) {
        try {
            var options = folder.map(NodeOptions::inFolder).orElseGet(NodeOptions::inMemory);
            return new CleaveServer(Node.start(options));
        } catch (StartException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /// The URL without the database: `grpc://localhost:PORT`.
    public String address() {
        return "grpc://localhost:" + node.grpcPort();
    }

    public String database() {
        return node.database();
    }

    public String endpoint() {
        return address() + database();
    }

    public String jdbcUrl() {
        return "jdbc:ydb:" + endpoint();
    }

    /// Shared by all tests, which need not close it.
    public GrpcTransport transport() {
        return transport;
    }

    void close() {
        transport.close();
        node.close();
    }

    /// Keeps a server in JUnit's store for the whole run, which closes it at the end.
    @SuppressWarnings("deprecation") // before JUnit 5.13 the store closes no AutoCloseable
    record Stored(CleaveServer server)
            implements ExtensionContext.Store.CloseableResource, AutoCloseable {
        @Override
        public void close() {
            server.close();
        }
    }
}
