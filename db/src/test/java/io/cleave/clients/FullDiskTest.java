package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// A real server whose log cannot grow any more: writes are refused, reads go on, and a server that
/// is started later, with room, has all that was acknowledged.
@EnabledOnOs(OS.LINUX)
class FullDiskTest {
    private static final int FILE_BYTES = 2 << 20;
    private static final int ROW_BYTES = 64 << 10;

    @TempDir private Path folder;

    @Test
    void aLogThatCannotGrowStopsWritesAndNothingElse() throws SQLException {
        Path data = folder.resolve("data");
        Set<Integer> acknowledged = new HashSet<>();
        int tried = 0;
        try (var server = ServerProcess.startWithSmallFiles(data, FILE_BYTES);
                Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
            execute(connection, "CREATE TABLE t (id Int32 NOT NULL, v Utf8, PRIMARY KEY (id))");
            boolean takesWrites = true;
            while (takesWrites) {
                assertThat(tried).isLessThan(2 * FILE_BYTES / ROW_BYTES);
                takesWrites = insert(connection, tried).isEmpty();
                if (takesWrites) {
                    acknowledged.add(tried);
                }
                tried++;
            }
            assertThat(acknowledged).isNotEmpty();
            assertThat(insert(connection, tried).orElseThrow()).contains("UNAVAILABLE", "log");
            assertThat(ids(connection)).isEqualTo(acknowledged);
            assertThat(server.isAlive()).isTrue();
            assertThat(server.printed()).contains("File too large");
        }
        try (var server = ServerProcess.start(data);
                Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
            assertThat(ids(connection)).containsAll(acknowledged).hasSizeLessThanOrEqualTo(tried);
            assertThat(insert(connection, tried)).isEmpty();
            assertThat(ids(connection)).contains(tried);
            assertThat(server.stop()).isZero();
        }
    }

    /// Why it was not done, if it was not.
    private static Optional<String> insert(Connection connection, int id) {
        try (var statement = connection.prepareStatement("UPSERT INTO t (id, v) VALUES (?, ?)")) {
            statement.setInt(1, id);
            statement.setString(2, "v".repeat(ROW_BYTES));
            statement.execute();
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Set<Integer> ids(Connection connection) throws SQLException {
        Set<Integer> ids = new HashSet<>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id FROM t")) {
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
        }
        return ids;
    }

    private static void execute(Connection connection, String text) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(text);
        }
    }
}
