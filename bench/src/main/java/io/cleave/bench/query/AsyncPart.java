package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.random.RandomGenerator;

/// How far an ASYNC index lags behind while rows of its table are upserted. Each batch of the index
/// counts with its oldest write: the time from the commit of that write until the index has it
/// durably.
final class AsyncPart implements Part {
    private static final double BAR_MILLIS = 100;
    private static final int CLIENTS = 16;
    private static final int VALUES = 1_000_000;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        Side cleave = servers.cleave();
        cleave.execute(
                "CREATE TABLE followed (id Int64 NOT NULL, n Int64, text Utf8, PRIMARY KEY (id),"
                        + " INDEX by_n GLOBAL ASYNC ON (n))");
        var measured =
                cleave.measure(CLIENTS, _ -> client(cleave, servers.items()), servers.time());
        Bars.Work work =
                bars.work("lag of an ASYNC index, p99" + Part.with(CLIENTS), "ms")
                        .atMost(BAR_MILLIS);
        String note = Math.round(measured.perSecond()) + " upserts per second";
        work.figure(Bars.CLEAVE, lagMillis(cleave), note);
        cleave.execute("DROP TABLE followed");
    }

    private static Load.Client client(Side side, int items) throws SQLException {
        return new JdbcClient(side, "UPSERT INTO followed (id, n, text) VALUES (?, ?, ?)") {
            @Override
            public void ask(RandomGenerator random) throws SQLException {
                statement.setLong(1, random.nextInt(items));
                statement.setLong(2, random.nextInt(VALUES));
                statement.setString(3, Items.TEXT);
                statement.executeUpdate();
            }
        };
    }

    private static double lagMillis(Side side) throws SQLException {
        try (Connection connection = side.connect();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT DateTime::ToMicroseconds(LagP99) AS lag"
                                        + " FROM `.sys/async_indexes` WHERE IndexName = 'by_n'u")) {
            if (!rows.next()) {
                throw new IllegalStateException("nobody follows the table");
            }
            return rows.getLong(1) / 1000.0;
        }
    }
}
