package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.sql.SQLException;
import java.util.random.RandomGenerator;

/// Prepared selects of one row by its key.
final class PointPart implements Part {
    private static final String SELECT = "SELECT text FROM items WHERE id = ?";

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        var reads = new Reads(servers, side -> client(side, servers.items()));
        var sides = reads.warmedUp();
        for (int clientCount : CLIENT_COUNTS) {
            String title = "prepared point select by key" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "us of server CPU (rate)");
            work.atMost(1.6, Bars.ECHO).atMost(1.0, Bars.POSTGRES);
            reads.measure(sides, clientCount, work);
        }
    }

    static Load.Client client(Side side, int items) throws SQLException {
        return new JdbcClient(side, SELECT) {
            @Override
            public void ask(RandomGenerator random) throws SQLException {
                statement.setLong(1, random.nextInt(items));
                expectRows(1);
            }
        };
    }
}
