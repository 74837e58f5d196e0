package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

class JdbcTest {
    private static final TestServer SERVER = new TestServer();

    @AfterAll
    static void stop() throws Exception {
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
}
