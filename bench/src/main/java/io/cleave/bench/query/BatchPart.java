package io.cleave.bench.query;

import io.cleave.bench.Load;
import io.cleave.bench.TableText;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Durable upserts of 1,000 rows with `addBatch`. PostgreSQL's driver is configured to rewrite a
/// batch into INSERTs of many rows.
final class BatchPart implements Part {
    private static final int WARM_UP = 1_500;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        List<Side> sides = new ArrayList<>();
        for (Side side : servers.withItems()) {
            sides.add(side.name().equals(Bars.CLEAVE) ? side : rewriting(side));
        }
        for (Side side : sides) {
            WarmUp.run(side, WARM_UP, index -> client(side, index, servers.items()));
        }
        for (int clientCount : CLIENT_COUNTS) {
            String title = "1,000-row batch upsert, durable" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "rows per second (server CPU a row)");
            work.atLeast(1.5, Bars.POSTGRES);
            Turns.middle(
                            sides,
                            side ->
                                    side.measure(
                                            clientCount,
                                            index -> client(side, index, servers.items()),
                                            servers.time()),
                            Load.Measured::perSecond)
                    .forEach((side, measured) -> tell(work, side, measured));
        }
    }

    private static void tell(Bars.Work work, Side side, Load.Measured measured) {
        double cpu = measured.serverCpuMicros() / Items.ROWS_A_BATCH;
        work.figure(
                side.name(),
                measured.perSecond() * Items.ROWS_A_BATCH,
                TableText.number(cpu) + " us");
    }

    private static Side rewriting(Side side) {
        return new Side(side.name(), side.url() + "&reWriteBatchedInserts=true", side.cpuTime());
    }

    static Load.Client client(Side side, int index, int items) throws SQLException {
        return new BatchClient(side, Items.upsert(side), index, items);
    }
}
