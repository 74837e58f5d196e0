package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.util.ArrayList;
import java.util.List;

/// YDB's JDBC driver against a server in this process.
class JdbcTest {
    private static final TestServer SERVER = new TestServer();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.jdbcUrl());
    }

    private static List<String> rows(Connection connection, String text) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    row.append(column > 1 ? "|" : "").append(rows.getString(column));
                }
                all.add(row.toString());
            }
            return all;
        }
    }

    @Test
    void aTableIsMadeFilledReadAndDropped() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE jdbc_first (id Int32, name Text, PRIMARY KEY (id))");
            try (var insert =
                    connection.prepareStatement(
                            "UPSERT INTO jdbc_first (id, name) VALUES (?, ?)")) {
                for (int id = 1; id <= 3; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, "name " + id);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            assertThat(rows(connection, "SELECT id, name FROM jdbc_first ORDER BY id"))
                    .containsExactly("1|name 1", "2|name 2", "3|name 3");
            assertThat(rows(connection, "SELECT name FROM jdbc_first WHERE id = 2"))
                    .containsExactly("name 2");
            assertThat(rows(connection, "SELECT name FROM jdbc_first WHERE id = 2"))
                    .containsExactly("name 2");
            statement.execute("DROP TABLE jdbc_first");
        }
    }

    @Test
    void transactionsAreCommittedAndRolledBack() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE jdbc_tx (id Int32, name Text, PRIMARY KEY (id))");
            connection.setAutoCommit(false);
            statement.execute("UPSERT INTO jdbc_tx (id, name) VALUES (1, 'one')");
            assertThat(rows(connection, "SELECT id, name FROM jdbc_tx")).containsExactly("1|one");
            connection.rollback();
            assertThat(rows(connection, "SELECT id, name FROM jdbc_tx")).isEmpty();
            statement.execute("UPSERT INTO jdbc_tx (id, name) VALUES (2, 'two')");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(rows(connection, "SELECT id, name FROM jdbc_tx")).containsExactly("2|two");
        }
    }

    @Test
    void aConflictIsRetryable() throws SQLException {
        try (Connection first = connect();
                Connection second = connect()) {
            first.createStatement()
                    .execute("CREATE TABLE jdbc_conflict (id Int32, n Int32, PRIMARY KEY (id))");
            first.setAutoCommit(false);
            assertThat(rows(first, "SELECT COUNT(*) FROM jdbc_conflict")).containsExactly("0");
            second.createStatement().execute("UPSERT INTO jdbc_conflict (id, n) VALUES (1, 1)");
            first.createStatement().execute("UPSERT INTO jdbc_conflict (id, n) VALUES (2, 1)");
            assertThatThrownBy(first::commit)
                    .isInstanceOf(SQLRecoverableException.class)
                    .hasMessageContaining("Transaction locks invalidated");
        }
    }

    @Test
    void everyKindOfStatementRuns() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE jdbc_kinds (id Int32 NOT NULL, name Text, n Int64, PRIMARY KEY"
                            + " (id))");
            try (var insert =
                    connection.prepareStatement(
                            "INSERT INTO jdbc_kinds (id, name, n) VALUES (?, ?, ?)")) {
                for (int id = 1; id <= 4; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, "n" + id);
                    insert.setLong(3, id * 10L);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            try (var update =
                    connection.prepareStatement("UPDATE jdbc_kinds SET n = ? WHERE id = ?")) {
                update.setLong(1, 99);
                update.setInt(2, 1);
                update.executeUpdate();
            }
            try (var delete = connection.prepareStatement("DELETE FROM jdbc_kinds WHERE id = ?")) {
                delete.setInt(1, 2);
                delete.addBatch();
                delete.setInt(1, 3);
                delete.addBatch();
                delete.executeBatch();
            }
            try (var in =
                    connection.prepareStatement(
                            "SELECT id, n FROM jdbc_kinds WHERE id IN (?, ?, ?) ORDER BY id")) {
                in.setInt(1, 1);
                in.setInt(2, 4);
                in.setInt(3, 3);
                try (ResultSet found = in.executeQuery()) {
                    found.next();
                    assertThat(found.getLong("n")).isEqualTo(99);
                    found.next();
                    assertThat(found.getInt("id")).isEqualTo(4);
                    assertThat(found.next()).isFalse();
                }
            }
            assertThatThrownBy(
                            () ->
                                    statement.execute(
                                            "INSERT INTO jdbc_kinds (id, n) VALUES (1, 1l)"))
                    .hasMessageContaining("Conflict with existing key");
            assertThat(rows(connection, "SCAN SELECT COUNT(*) FROM jdbc_kinds"))
                    .containsExactly("2");
            try (var bulk =
                    connection.prepareStatement(
                            "BULK UPSERT INTO jdbc_kinds (id, name) VALUES (?, ?)")) {
                bulk.setInt(1, 50);
                bulk.setString(2, "bulk");
                bulk.execute();
            }
            assertThat(rows(connection, "SELECT name FROM jdbc_kinds WHERE id = 50"))
                    .containsExactly("bulk");
            assertThat(rows(connection, "EXPLAIN SELECT * FROM jdbc_kinds WHERE id = 1").getFirst())
                    .contains("jdbc_kinds");
        }
    }

    @Test
    void metadataShowsTablesColumnsAndKeys() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE `dir/jdbc_meta` (b Int32 NOT NULL, a Text NOT NULL, c Double,"
                            + " PRIMARY KEY (a, b))");
            DatabaseMetaData meta = connection.getMetaData();
            assertThat(meta.getDatabaseProductVersion()).isNotBlank();
            assertThat(column(meta.getTables(null, null, "dir/jdbc_meta", null), "TABLE_NAME"))
                    .containsExactly("dir/jdbc_meta");
            assertThat(column(meta.getColumns(null, null, "dir/jdbc_meta", null), "COLUMN_NAME"))
                    .containsExactly("b", "a", "c");
            assertThat(column(meta.getPrimaryKeys(null, null, "dir/jdbc_meta"), "COLUMN_NAME"))
                    .containsExactly("a", "b");
            assertThat(
                            column(
                                    meta.getTables(null, null, null, new String[] {"SYSTEM TABLE"}),
                                    "TABLE_NAME"))
                    .contains(".sys/partition_stats");
        }
    }

    private static List<String> column(ResultSet rows, String name) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(name));
        }
        return values;
    }

    @Test
    void mistakesHaveYdbsWords() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE jdbc_wrong (id Int32, c_Float Float, PRIMARY KEY (id))");
            assertThatThrownBy(() -> statement.executeQuery("select 2 + x"))
                    .hasMessageContaining("Column reference 'x'");
            assertThatThrownBy(() -> statement.executeQuery("select * from unknown_table"))
                    .hasMessageContaining("Cannot find table 'db.[/local/unknown_table]");
            assertThatThrownBy(
                            () ->
                                    statement.execute(
                                            "UPSERT INTO jdbc_wrong (id, c_text) VALUES (1, 2)"))
                    .hasMessageContaining("No such column: c_text");
            assertThatThrownBy(
                            () ->
                                    statement.execute(
                                            "create table jdbc_l (id Int32, payload List<Int32>,"
                                                    + " primary key(id))"))
                    .hasMessageContaining("Invalid type for column: payload.");
            assertThat(rows(connection, "SELECT 1")).containsExactly("1");
        }
    }
}
