package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.tablet.CellOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/// A node with two media, as a user with two disks has it.
class MediaFoldersTest {
    private static final int ROWS = 200;
    private static final String WIDE = "x".repeat(1000);

    /// Rows go to files at once.
    private static final CellOptions TINY =
            new CellOptions(16 << 10, 256 << 10, 64 << 10, 4 << 20, 10_000);

    @TempDir Path folder;

    @Test
    void aFamilyLiesOnTheMediumItNames() throws Exception {
        Path hdd = folder.resolve("hdd");
        NodeOptions options =
                NodeOptions.inFolder(folder.resolve("data"))
                        .withCells(TINY)
                        .withMedia(Map.of("hdd", hdd));
        try (Node node = Node.start(options);
                Connection connection = connect(node)) {
            run(
                    connection,
                    """
                    CREATE TABLE t (k Uint64, n Uint64, w Utf8 FAMILY cold, PRIMARY KEY (k),
                        FAMILY cold (DATA = 'hdd'))
                    """);
            for (int id = 0; id < ROWS; id++) {
                run(
                        connection,
                        "UPSERT INTO t (k, n, w) VALUES (%d, %d, '%s')".formatted(id, id, WIDE));
            }
            compact(node);
            assertThat(bytes(hdd)).isGreaterThan((long) ROWS * WIDE.length());
            assertThatThrownBy(
                            () ->
                                    run(
                                            connection,
                                            "ALTER TABLE t ALTER FAMILY cold SET DATA 'tape'"))
                    .hasMessageContaining(
                            "Unknown medium 'tape' of column family 'cold', there are: ssd, hdd");
            assertThat(count(connection)).isEqualTo(ROWS);
        }
        try (Node node = Node.start(options);
                Connection connection = connect(node)) {
            assertThat(count(connection)).isEqualTo(ROWS);
        }
    }

    private static Connection connect(Node node) throws SQLException {
        return DriverManager.getConnection("jdbc:ydb:" + node.endpoint());
    }

    private static void run(Connection connection, String text) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private static long count(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM t WHERE LENGTH(w) = " + WIDE.length())) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    /// Afterwards all rows are in files.
    private static void compact(Node node) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + node.httpPort() + "/compact?table=t");
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .header("X-Cleave", "1")
                        .POST(BodyPublishers.noBody())
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
    }

    private static long bytes(Path medium) throws IOException {
        long bytes = 0;
        try (var files = Files.list(medium.resolve("blobs"))) {
            // One that compaction has just removed has no length.
            for (Path file : files.toList()) {
                bytes += file.toFile().length();
            }
        }
        return bytes;
    }
}
