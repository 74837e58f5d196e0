package io.cleave.wire;

import io.cleave.base.Env;
import io.cleave.query.Database;
import io.cleave.query.MemoryDatabase;

import java.io.IOException;
import java.io.UncheckedIOException;

/// A whole server in memory on a free port.
final class TestServer implements AutoCloseable {
    private final MemoryDatabase memory = new MemoryDatabase();
    private final GrpcServer server;

    TestServer() {
        try {
            server = GrpcServer.start(memory.env(), memory.database(), "localhost", 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Env env() {
        return memory.env();
    }

    Database database() {
        return memory.database();
    }

    GrpcServer grpc() {
        return server;
    }

    String endpoint() {
        return "localhost:" + server.port();
    }

    String connectionString() {
        return "grpc://" + endpoint() + "/local";
    }

    String jdbcUrl() {
        return "jdbc:ydb:" + connectionString();
    }

    @Override
    public void close() {
        server.close();
        memory.close();
    }
}
