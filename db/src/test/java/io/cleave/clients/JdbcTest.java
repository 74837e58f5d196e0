package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// `ydb-jdbc-driver` against a server in another process.
@ExtendWith(SharedServer.class)
class JdbcTest {
    private final Clients clients;
    private final String directory;
    private final Connection connection;

    JdbcTest(Clients clients) throws SQLException {
        this.clients = clients;
        String path = clients.newDirectory();
        directory = path.substring(path.lastIndexOf('/') + 1);
        connection = connect();
    }

    @BeforeEach
    void createTable() throws SQLException {
        run("CREATE TABLE `" + directory + "/t` (id Int32 NOT NULL, name Utf8, PRIMARY KEY (id))");
    }

    @AfterEach
    void closeConnection() throws SQLException {
        connection.close();
    }

    @Test
    void theServerHasAVersion() throws SQLException {
        assertThat(connection.isValid(5)).isTrue();
        assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("YDB");
        assertThat(connection.getMetaData().getDatabaseProductVersion()).isNotBlank();
    }

    @Test
    void everyTypeIsWrittenAndReadBack() throws SQLException {
        run(
                "CREATE TABLE `"
                        + directory
                        + "/all` (id Int32 NOT NULL, c_bool Bool, c_int8 Int8, c_uint8 Uint8,"
                        + " c_int16 Int16, c_uint16 Uint16, c_int64 Int64, c_uint32 Uint32,"
                        + " c_uint64 Uint64, c_float Float, c_double Double, c_string String,"
                        + " c_utf8 Utf8, c_json Json, c_jsondoc JsonDocument, c_yson Yson,"
                        + " c_uuid Uuid, c_date Date, c_datetime Datetime, c_timestamp Timestamp,"
                        + " c_interval Interval, c_decimal Decimal(22, 9), PRIMARY KEY (id))");
        UUID uuid = UUID.fromString("550e8400-e29b-41d4-a716-446655440000");
        List<Object> values =
                List.of(
                        true,
                        (byte) -128,
                        255,
                        (short) -32768,
                        65_535,
                        Long.MIN_VALUE,
                        4_294_967_295L,
                        Long.MAX_VALUE,
                        1.5f,
                        -0.1,
                        new byte[] {0, -1, 7},
                        "Ж 漢 😀",
                        "{\"a\": 1}",
                        "{\"a\":1}",
                        new byte[] {'[', '1', ']'},
                        uuid,
                        LocalDate.of(2024, 2, 29),
                        LocalDateTime.of(2024, 2, 29, 12, 30, 1),
                        Instant.parse("2024-02-29T12:30:01.123456Z"),
                        Duration.parse("PT26H3M4.5S"),
                        new BigDecimal("1234.567890123"));
        String columns =
                "c_bool, c_int8, c_uint8, c_int16, c_uint16, c_int64, c_uint32, c_uint64, c_float,"
                        + " c_double, c_string, c_utf8, c_json, c_jsondoc, c_yson, c_uuid, c_date,"
                        + " c_datetime, c_timestamp, c_interval, c_decimal";
        String marks = ", ?".repeat(values.size());
        String upsert =
                "UPSERT INTO `" + directory + "/all` (id, " + columns + ") VALUES (?" + marks + ")";
        try (PreparedStatement statement = connection.prepareStatement(upsert)) {
            statement.setInt(1, 1);
            for (int index = 0; index < values.size(); index++) {
                statement.setObject(index + 2, values.get(index));
            }
            statement.execute();
        }
        run("UPSERT INTO `" + directory + "/all` (id) VALUES (2)");
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT "
                                        + columns
                                        + " FROM `"
                                        + directory
                                        + "/all` ORDER BY id")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getBoolean("c_bool")).isTrue();
            assertThat(rows.getByte("c_int8")).isEqualTo((byte) -128);
            assertThat(rows.getInt("c_uint8")).isEqualTo(255);
            assertThat(rows.getShort("c_int16")).isEqualTo((short) -32768);
            assertThat(rows.getInt("c_uint16")).isEqualTo(65_535);
            assertThat(rows.getLong("c_int64")).isEqualTo(Long.MIN_VALUE);
            assertThat(rows.getLong("c_uint32")).isEqualTo(4_294_967_295L);
            assertThat(rows.getLong("c_uint64")).isEqualTo(Long.MAX_VALUE);
            assertThat(rows.getFloat("c_float")).isEqualTo(1.5f);
            assertThat(rows.getDouble("c_double")).isEqualTo(-0.1);
            assertThat(rows.getBytes("c_string")).isEqualTo(new byte[] {0, -1, 7});
            assertThat(rows.getString("c_utf8")).isEqualTo("Ж 漢 😀");
            assertThat(rows.getString("c_json")).isEqualTo("{\"a\": 1}");
            assertThat(rows.getString("c_jsondoc")).isEqualTo("{\"a\":1}");
            assertThat(rows.getBytes("c_yson")).isEqualTo(new byte[] {'[', '1', ']'});
            assertThat(rows.getObject("c_uuid")).isEqualTo(uuid);
            assertThat(rows.getObject("c_date")).isEqualTo(values.get(16));
            assertThat(rows.getObject("c_datetime")).isEqualTo(values.get(17));
            assertThat(rows.getObject("c_timestamp")).isEqualTo(values.get(18));
            assertThat(rows.getObject("c_interval")).isEqualTo(values.get(19));
            assertThat(rows.getBigDecimal("c_decimal")).isEqualByComparingTo("1234.567890123");
            assertThat(rows.next()).isTrue();
            for (int index = 1; index <= values.size(); index++) {
                assertThat(rows.getObject(index)).isNull();
                assertThat(rows.wasNull()).isTrue();
            }
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void batchesOfEveryKindAreWritten() throws SQLException {
        batch("INSERT INTO `" + directory + "/t` (id, name) VALUES (?, ?)", 0, 300, "inserted");
        batch("UPSERT INTO `" + directory + "/t` (id, name) VALUES (?, ?)", 100, 200, "upserted");
        batch("REPLACE INTO `" + directory + "/t` (id, name) VALUES (?, ?)", 200, 250, "replaced");
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE `" + directory + "/t` SET name = ? WHERE id = ?")) {
            for (int id = 0; id < 50; id++) {
                update.setString(1, "updated");
                update.setInt(2, id);
                update.addBatch();
            }
            update.executeBatch();
        }
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM `" + directory + "/t` WHERE id = ?")) {
            for (int id = 290; id < 300; id++) {
                delete.setInt(1, id);
                delete.addBatch();
            }
            delete.executeBatch();
        }
        assertThat(
                        rows(
                                "SELECT name, COUNT(*) AS c FROM `"
                                        + directory
                                        + "/t` GROUP BY name ORDER BY name"))
                .containsExactly("inserted 90", "replaced 50", "updated 50", "upserted 100");
    }

    @Test
    void placeholdersStandInInAndLimit() throws SQLException {
        batch("UPSERT INTO `" + directory + "/t` (id, name) VALUES (?, ?)", 0, 10, "x");
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT id, name FROM `"
                                + directory
                                + "/t` WHERE id IN (?, ?, ?, ?) ORDER BY id LIMIT ? OFFSET ?")) {
            select.setInt(1, 1);
            select.setInt(2, 3);
            select.setInt(3, 5);
            select.setInt(4, 77);
            select.setInt(5, 2);
            select.setInt(6, 1);
            assertThat(rows(select.executeQuery())).containsExactly("3 x", "5 x");
        }
    }

    @Test
    void returningGivesRows() throws SQLException {
        assertThat(
                        rows(
                                "UPSERT INTO `"
                                        + directory
                                        + "/t` (id, name) VALUES (1, 'a'u), (2, 'b'u)"
                                        + " RETURNING id, name"))
                .containsExactlyInAnyOrder("1 a", "2 b");
    }

    @Test
    void transactionsAreCommittedAndRolledBack() throws SQLException {
        connection.setAutoCommit(false);
        run("UPSERT INTO `" + directory + "/t` (id, name) VALUES (1, 'a'u)");
        assertThat(rows("SELECT id, name FROM `" + directory + "/t`")).containsExactly("1 a");
        try (Connection other = connect()) {
            assertThat(rows(other, "SELECT id, name FROM `" + directory + "/t`")).isEmpty();
            connection.commit();
            assertThat(rows(other, "SELECT id, name FROM `" + directory + "/t`"))
                    .containsExactly("1 a");
        }
        run("DELETE FROM `" + directory + "/t`");
        connection.rollback();
        assertThat(rows("SELECT id, name FROM `" + directory + "/t`")).containsExactly("1 a");
        assertThatThrownBy(connection::setSavepoint).isInstanceOf(SQLException.class);
    }

    @Test
    void aConflictIsAnErrorThatMayBeRetried() throws SQLException {
        run("UPSERT INTO `" + directory + "/t` (id, name) VALUES (1, 'a'u)");
        connection.setAutoCommit(false);
        assertThat(rows("SELECT id, name FROM `" + directory + "/t` WHERE id = 1")).hasSize(1);
        clients.query("UPSERT INTO `" + directory + "/t` (id, name) VALUES (1, 'between'u)");
        assertThatThrownBy(
                        () -> {
                            run("UPSERT INTO `" + directory + "/t` (id, name) VALUES (1, 'b'u)");
                            connection.commit();
                        })
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("ABORTED");
        connection.rollback();
        assertThat(rows("SELECT id, name FROM `" + directory + "/t`")).containsExactly("1 between");
    }

    @Test
    void everyIsolationReads() throws SQLException {
        run("UPSERT INTO `" + directory + "/t` (id, name) VALUES (1, 'a'u)");
        // The driver's own are online, inconsistent online and stale.
        for (int level : new int[] {Connection.TRANSACTION_SERIALIZABLE, 16, 17, 32}) {
            connection.setTransactionIsolation(level);
            assertThat(rows("SELECT id, name FROM `" + directory + "/t`")).containsExactly("1 a");
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setReadOnly(true);
        assertThat(rows("SELECT id, name FROM `" + directory + "/t`")).containsExactly("1 a");
    }

    @Test
    void metadataShowsTablesColumnsAndKeys() throws SQLException {
        var metadata = connection.getMetaData();
        assertThat(column(metadata.getTables(null, null, directory + "/t", null), "TABLE_NAME"))
                .containsExactly(directory + "/t");
        ResultSet columns = metadata.getColumns(null, null, directory + "/t", null);
        assertThat(column(columns, "COLUMN_NAME")).containsExactly("id", "name");
        assertThat(column(metadata.getColumns(null, null, directory + "/t", null), "NULLABLE"))
                .containsExactly("0", "1");
        assertThat(column(metadata.getPrimaryKeys(null, null, directory + "/t"), "COLUMN_NAME"))
                .containsExactly("id");
        assertThat(
                        column(
                                metadata.getIndexInfo(null, null, directory + "/t", false, false),
                                "INDEX_NAME"))
                .isEmpty();
    }

    @Test
    void indexesAreInTheMetadata() throws SQLException {
        run("ALTER TABLE `" + directory + "/t` ADD INDEX by_name GLOBAL ON (name)");
        var metadata = connection.getMetaData();
        ResultSet indexes = metadata.getIndexInfo(null, null, directory + "/t", false, false);
        assertThat(column(indexes, "INDEX_NAME")).containsExactly("by_name");
        assertThat(
                        column(
                                metadata.getIndexInfo(null, null, directory + "/t", false, false),
                                "COLUMN_NAME"))
                .containsExactly("name");
    }

    @Test
    void mistakesHaveYdbsWords() {
        assertMistake("select 2 + x", "Column reference 'x'");
        assertMistake("SELECT namee FROM `" + directory + "/t`", "Member not found: namee");
        assertMistake(
                "SELECT * FROM unknown_table", "Cannot find table 'db.[/local/unknown_table]");
        assertMistake(
                "UPSERT INTO `" + directory + "/t` (id, Name) VALUES (1, 'x'u)",
                "No such column: Name");
        assertMistake(
                "CREATE TABLE bad (id Int32, payload TzDate, PRIMARY KEY (id))",
                "is not supported by storage");
        assertMistake(
                "CREATE TABLE bad (id Int32, payload List<Int32>, PRIMARY KEY (id))",
                "Invalid type for column: payload.");
        assertMistake(
                "SELECT * FROM `" + directory + "/t` WHERE id = 'x'u",
                "Can't compare Int32 with Utf8");
        assertMistake("SELECT <|key: 1, key: 2|>", "Duplicated member: key");
        assertMistake("SCAN SELECT 1; SCAN SELECT 2", "Scan query should have a single result set");
    }

    private void assertMistake(String text, String words) {
        assertThatThrownBy(() -> run(text))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(words);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(clients.server().jdbcUrl());
    }

    private void run(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private void batch(String text, int from, int to, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            for (int id = from; id < to; id++) {
                statement.setInt(1, id);
                statement.setString(2, name);
                statement.addBatch();
            }
            assertThat(statement.executeBatch()).hasSize(to - from);
        }
    }

    private List<String> rows(String text) throws SQLException {
        return rows(connection, text);
    }

    private static List<String> rows(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return rows(statement.executeQuery(text));
        }
    }

    /// The first two columns of each row.
    private static List<String> rows(ResultSet found) throws SQLException {
        try (found) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                rows.add(found.getString(1) + " " + found.getString(2));
            }
            return rows;
        }
    }

    private static List<String> column(ResultSet found, String name) throws SQLException {
        try (found) {
            List<String> values = new ArrayList<>();
            while (found.next()) {
                values.add(found.getString(name));
            }
            return values;
        }
    }
}
