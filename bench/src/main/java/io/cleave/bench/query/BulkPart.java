package io.cleave.bench.query;

import io.cleave.bench.Load;
import io.cleave.bench.TableText;

import java.sql.SQLException;

/// Durable BulkUpsert of 1,000 rows a call. Only Cleave has it.
final class BulkPart implements Part {
    private static final int WARM_UP = 500;
    private static final double BAR = 200_000;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        Side side = servers.withItems().getFirst();
        WarmUp.run(side, WARM_UP, index -> client(side, index, servers));
        for (int clientCount : CLIENT_COUNTS) {
            String title = "BulkUpsert of 1,000-row batches" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "rows per second of server CPU (rate)");
            work.atLeast(BAR);
            Load.Measured measured =
                    side.measure(
                            clientCount, index -> client(side, index, servers), servers.time());
            double cpuSeconds = measured.serverCpuMicros() / 1e6;
            String rate = TableText.number(measured.perSecond() * Items.ROWS_A_BATCH) + "/s";
            work.figure(side.name(), Items.ROWS_A_BATCH / cpuSeconds, rate);
        }
    }

    private static Load.Client client(Side side, int index, Servers servers) throws SQLException {
        return new BatchClient(side, Items.BULK_UPSERT, index, servers.items());
    }
}
