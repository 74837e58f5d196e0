package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.sql.SQLException;
import java.util.random.RandomGenerator;

/// Prepared selects of 100 rows by a key range.
final class RangePart implements Part {
    private static final int ROWS = 100;
    private static final String SELECT =
            "SELECT id, text FROM items WHERE id >= ? AND id < ? ORDER BY id";

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        var reads = new Reads(servers, side -> client(side, servers.items()));
        var sides = reads.warmedUp();
        for (int clientCount : CLIENT_COUNTS) {
            String title = "100-row range select" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "us of server CPU (rate)");
            work.atMost(1.5, Bars.ECHO);
            reads.measure(sides, clientCount, work);
        }
    }

    static Load.Client client(Side side, int items) throws SQLException {
        return new JdbcClient(side, SELECT) {
            @Override
            public void ask(RandomGenerator random) throws SQLException {
                long from = random.nextInt(items - ROWS);
                statement.setLong(1, from);
                statement.setLong(2, from + ROWS);
                expectRows(ROWS);
            }
        };
    }
}
