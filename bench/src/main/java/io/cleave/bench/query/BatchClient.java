package io.cleave.bench.query;

import java.sql.SQLException;
import java.util.random.RandomGenerator;

/// Writes batches of 1,000 existing rows. Clients write different rows, and each batch is in key
/// order, so no client waits for another's locks.
final class BatchClient extends JdbcClient {
    private static final int MOST_CLIENTS = 64;

    private final int clientIndex;
    private final int rowsEach;

    BatchClient(Side side, String text, int clientIndex, int items) throws SQLException {
        super(side, text);
        this.clientIndex = clientIndex;
        rowsEach = Math.max(Items.ROWS_A_BATCH + 1, items / MOST_CLIENTS);
    }

    @Override
    public void ask(RandomGenerator random) throws SQLException {
        long from = random.nextInt(rowsEach - Items.ROWS_A_BATCH);
        for (long row = from; row < from + Items.ROWS_A_BATCH; row++) {
            statement.setLong(1, row * MOST_CLIENTS + clientIndex);
            statement.setString(2, Items.TEXT);
            statement.addBatch();
        }
        statement.executeBatch();
    }
}
