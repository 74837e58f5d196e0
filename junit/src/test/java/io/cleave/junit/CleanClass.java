package io.cleave.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tech.ydb.core.grpc.GrpcTransport;

/// A class that finds an empty database and leaves one that is not. There are two of it: whichever
/// comes second shows that the database was cleaned.
abstract class CleanClass {
    @Test
    void theDatabaseIsEmpty(GrpcTransport transport) {
        assertThat(Queries.tables(transport)).isEmpty();
        Queries.run(transport, "CREATE TABLE `a/b/t` (k Int32 NOT NULL, PRIMARY KEY (k))");
        Queries.run(transport, "CREATE TABLE u (k Int32 NOT NULL, PRIMARY KEY (k))");
        Queries.run(transport, "CREATE VIEW v WITH (security_invoker = TRUE) AS SELECT k FROM u");
        assertThat(Queries.tables(transport)).containsExactlyInAnyOrder("a", "u", "v");
    }
}
