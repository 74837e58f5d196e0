package io.cleave.cli;

import java.net.URI;
import java.net.URISyntaxException;

/// The address of a server and its database: `grpc://host:port/database`.
record Endpoint(String host, int port, String database) {
    static final String DEFAULT = "grpc://localhost:2136/local";
    private static final int DEFAULT_PORT = 2136;

    /// Throws [IllegalArgumentException] with a message for the user.
    static Endpoint parse(String text) {
        try {
            var uri = new URI(text.contains("://") ? text : "grpc://" + text);
            String database = uri.getPath();
            if (!"grpc".equals(uri.getScheme()) || uri.getHost() == null || database.length() < 2) {
                throw new IllegalArgumentException(expected(text));
            }
            int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
            return new Endpoint(uri.getHost(), port, database);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
    }

    private static String expected(String text) {
        return "an endpoint must look like " + DEFAULT + ", not like '" + text + "'";
    }

    String address() {
        return "grpc://" + host + ":" + port;
    }

    @Override
    public String toString() {
        return address() + database;
    }
}
