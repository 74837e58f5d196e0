package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// One connection with one prepared statement. Each execution is its own transaction.
abstract class JdbcClient implements Load.Client {
    private final Connection connection;
    final PreparedStatement statement;

    JdbcClient(Side side, String text) throws SQLException {
        connection = side.connect();
        statement = connection.prepareStatement(text);
    }

    /// Runs the query, reads every row's text, and checks the number of rows.
    final void expectRows(int count) throws SQLException {
        int found = 0;
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                found += rows.getString("text").length() == Items.TEXT.length() ? 1 : 0;
            }
        }
        if (found != count) {
            throw new IllegalStateException(found + " rows instead of " + count);
        }
    }

    @Override
    public void close() throws SQLException {
        statement.close();
        connection.close();
    }
}
