package io.cleave.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/// The snippets of the README, as they stand there but for the address and the printing.
@CleaveTest
class ReadmeTest {
    private final List<String> printed = new ArrayList<>();

    @BeforeAll
    static void makeSeries(GrpcTransport transport) {
        Queries.run(
                transport,
                """
                CREATE TABLE series (
                    series_id Uint64 NOT NULL, title Utf8, release_date Date, PRIMARY KEY (series_id)
                )\
                """);
        Queries.run(
                transport,
                """
                UPSERT INTO series (series_id, title, release_date) VALUES
                    (1, "IT Crowd"u, Date("2006-02-03")), (2, "Silicon Valley"u, Date("2014-04-06"))\
                """);
    }

    @Test
    void theSdkSnippet(@CleaveTest.Endpoint String endpoint) {
        try (var transport = GrpcTransport.forConnectionString(endpoint).build();
                var client = QueryClient.newClient(transport).build()) {
            var retry = SessionRetryContext.create(client).build();
            var rows =
                    retry.supplyResult(
                                    session ->
                                            QueryReader.readFrom(
                                                    session.createQuery(
                                                            "DECLARE $id AS Uint64;"
                                                                    + " SELECT title FROM series"
                                                                    + " WHERE series_id = $id",
                                                            TxMode.SERIALIZABLE_RW,
                                                            Params.of(
                                                                    "$id",
                                                                    PrimitiveValue.newUint64(1)))))
                            .join()
                            .getValue()
                            .getResultSet(0);
            while (rows.next()) {
                printed.add(rows.getColumn("title").getText());
            }
        }
        assertThat(printed).containsExactly("IT Crowd");
    }

    @Test
    void theJdbcSnippet(@CleaveTest.JdbcUrl String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement =
                        connection.prepareStatement(
                                "SELECT series_id, title FROM series WHERE release_date > ?")) {
            statement.setObject(1, LocalDate.of(2010, 1, 1));
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    printed.add(rows.getLong("series_id") + " " + rows.getString("title"));
                }
            }
        }
        assertThat(printed).containsExactly("2 Silicon Valley");
    }
}
