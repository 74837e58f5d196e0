package io.cleave.bench.query;

import io.cleave.bench.Folders;
import io.cleave.bench.Load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// H2 inside this process, on its own file.
///
/// With `WRITE_DELAY=0`, a commit is written to the file before it returns, but not synced.
/// `CHECKPOINT SYNC` then syncs it. Both together correspond to a commit of Cleave.
final class EmbeddedH2 implements AutoCloseable {
    private static final String CREATE = "CREATE TABLE items (id BIGINT PRIMARY KEY, text VARCHAR)";
    private static final String SELECT = "SELECT text FROM items WHERE id = ?";
    private static final String MERGE = "MERGE INTO items (id, text) KEY (id) VALUES (?, ?)";
    private static final String SYNC = "CHECKPOINT SYNC";

    private final Path dir;
    private final Side side;

    EmbeddedH2(int items) throws Exception {
        dir = Files.createTempDirectory("cleave-bench-h2");
        String url = "jdbc:h2:file:" + dir.resolve("items") + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
        side = new Side(Bars.H2, url, () -> Duration.ZERO);
        side.execute(CREATE);
        try (var connection = side.connect();
                var merge = connection.prepareStatement(MERGE)) {
            connection.setAutoCommit(false);
            for (int id = 0; id < items; id++) {
                merge.setLong(1, id);
                merge.setString(2, Items.TEXT);
                merge.addBatch();
                if ((id + 1) % Items.ROWS_A_BATCH == 0 || id + 1 == items) {
                    merge.executeBatch();
                    connection.commit();
                }
            }
        }
    }

    Load.Client reader(int items) throws SQLException {
        return new JdbcClient(side, SELECT) {
            @Override
            public void ask(RandomGenerator random) throws SQLException {
                statement.setLong(1, random.nextInt(items));
                expectRows(1);
            }
        };
    }

    Load.Client writer(int items) throws SQLException {
        return new JdbcClient(side, MERGE) {
            private final PreparedStatement sync = statement.getConnection().prepareStatement(SYNC);

            @Override
            public void ask(RandomGenerator random) throws SQLException {
                statement.setLong(1, random.nextInt(items));
                statement.setString(2, Items.TEXT);
                statement.executeUpdate();
                sync.executeUpdate();
            }
        };
    }

    @Override
    public void close() throws SQLException, IOException {
        side.execute("SHUTDOWN");
        Folders.delete(dir);
    }
}
