package io.cleave.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import tech.ydb.core.grpc.GrpcTransport;

import java.sql.DriverManager;
import java.sql.SQLException;

@CleaveTest
@SuppressWarnings("NullAway.Init") // the extension fills the fields
class CleaveTestTest {
    @CleaveTest.Endpoint private static String endpoint;
    @CleaveTest.JdbcUrl private String jdbcUrl;
    @CleaveTest.Transport private GrpcTransport transport;

    @BeforeAll
    static void makeTable(CleaveServer server) {
        Queries.run(server.transport(), "CREATE TABLE t (k Int32 NOT NULL, PRIMARY KEY (k))");
    }

    @Test
    void fieldsAreFilled() {
        assertThat(endpoint).matches("grpc://localhost:\\d+/local");
        assertThat(jdbcUrl).isEqualTo("jdbc:ydb:" + endpoint);
        assertThat(transport.getDatabase()).isEqualTo("/local");
    }

    @Test
    void parametersAreGiven(
            GrpcTransport given,
            CleaveServer server,
            @CleaveTest.JdbcUrl String url,
            @CleaveTest.Endpoint String address) {
        assertThat(given).isSameAs(transport);
        assertThat(server.jdbcUrl()).isEqualTo(jdbcUrl).isEqualTo(url);
        assertThat(server.endpoint()).isEqualTo(endpoint).isEqualTo(address);
    }

    @Test
    void theJdbcUrlLeadsToTheServer() throws SQLException {
        try (var connection = DriverManager.getConnection(jdbcUrl);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) AS n FROM t")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong("n")).isZero();
        }
    }

    @Nested
    class Within {
        @Test
        void aNestedClassFindsWhatItsOuterClassMade() {
            assertThat(Queries.tables(transport)).containsExactly("t");
        }
    }
}
