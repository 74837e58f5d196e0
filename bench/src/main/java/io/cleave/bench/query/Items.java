package io.cleave.bench.query;

import org.postgresql.PGConnection;

import java.io.IOException;
import java.io.StringReader;
import java.sql.SQLException;

/// The table of the works by key: a number and a text of 100 bytes.
final class Items {
    static final String TEXT = "0123456789".repeat(10);
    static final int ROWS_A_BATCH = 1_000;

    private static final String CREATE_CLEAVE =
            "CREATE TABLE items (id Int64 NOT NULL, text Utf8, PRIMARY KEY (id))";
    private static final String CREATE_POSTGRES =
            "CREATE TABLE items (id bigint PRIMARY KEY, text text)";
    static final String BULK_UPSERT = "BULK UPSERT INTO items (id, text) VALUES (?, ?)";

    private Items() {}

    static String upsert(Side side) {
        return side.name().equals(Bars.CLEAVE)
                ? "UPSERT INTO items (id, text) VALUES (?, ?)"
                : "INSERT INTO items (id, text) VALUES (?, ?)"
                        + " ON CONFLICT (id) DO UPDATE SET text = EXCLUDED.text";
    }

    static void loadCleave(Side side, int rows) throws SQLException {
        side.execute(CREATE_CLEAVE);
        try (var connection = side.connect();
                var statement = connection.prepareStatement(BULK_UPSERT)) {
            for (int id = 0; id < rows; id++) {
                statement.setLong(1, id);
                statement.setString(2, TEXT);
                statement.addBatch();
                if ((id + 1) % ROWS_A_BATCH == 0 || id + 1 == rows) {
                    statement.executeBatch();
                }
            }
        }
    }

    static void loadPostgres(Side side, int rows) throws SQLException, IOException {
        side.execute(CREATE_POSTGRES);
        try (var connection = side.connect()) {
            var text = new StringBuilder();
            for (int id = 0; id < rows; id++) {
                text.append(id).append('\t').append(TEXT).append('\n');
            }
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY items FROM STDIN", new StringReader(text.toString()));
        }
        side.execute("VACUUM ANALYZE items", "CHECKPOINT");
    }
}
