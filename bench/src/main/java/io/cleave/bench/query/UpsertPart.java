package io.cleave.bench.query;

import io.cleave.bench.Load;
import io.cleave.bench.TableText;

import java.sql.SQLException;
import java.util.random.RandomGenerator;

/// Upserts of one row by key, each durable when it is answered.
final class UpsertPart implements Part {
    private static final int WARM_UP = 150_000;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        var sides = servers.withItems();
        for (Side side : sides) {
            WarmUp.run(side, WARM_UP, _ -> client(side, servers.items()));
        }
        for (int clientCount : CLIENT_COUNTS) {
            String title = "upsert by key, durable" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "per second (server CPU each)");
            if (clientCount > 1) {
                work.atLeast(1.0, Bars.POSTGRES);
            }
            Turns.middle(
                            sides,
                            side ->
                                    side.measure(
                                            clientCount,
                                            _ -> client(side, servers.items()),
                                            servers.time()),
                            Load.Measured::perSecond)
                    .forEach(
                            (side, measured) -> {
                                String cpu = TableText.number(measured.serverCpuMicros()) + " us";
                                work.figure(side.name(), measured.perSecond(), cpu);
                            });
        }
    }

    static Load.Client client(Side side, int items) throws SQLException {
        return new JdbcClient(side, Items.upsert(side)) {
            @Override
            public void ask(RandomGenerator random) throws SQLException {
                statement.setLong(1, random.nextInt(items));
                statement.setString(2, Items.TEXT);
                statement.executeUpdate();
            }
        };
    }
}
