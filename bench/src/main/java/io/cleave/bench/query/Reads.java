package io.cleave.bench.query;

import io.cleave.bench.Load;
import io.cleave.bench.TableText;

import java.util.ArrayList;
import java.util.List;

/// What the two reading parts have in common: they measure Cleave, the echo of its answers, and
/// PostgreSQL in turn, for each number of clients.
final class Reads {
    private static final int WARM_UP = 400_000;

    private final Servers servers;
    private final ClientsOf clients;

    /// Opens a client of one side.
    interface ClientsOf {
        Load.Client open(Side side) throws Exception;
    }

    Reads(Servers servers, ClientsOf clients) {
        this.servers = servers;
        this.clients = clients;
    }

    List<Side> warmedUp() throws Exception {
        List<Side> sides = new ArrayList<>(servers.withItems());
        sides.add(servers.echo());
        for (Side side : sides) {
            WarmUp.run(side, WARM_UP, _ -> clients.open(side));
        }
        return sides;
    }

    void measure(List<Side> sides, int clientCount, Bars.Work work) throws Exception {
        Turns.middle(
                        sides,
                        side -> side.measure(clientCount, _ -> clients.open(side), servers.time()),
                        Load.Measured::serverCpuMicros)
                .forEach(
                        (side, measured) -> {
                            String rate = TableText.number(measured.perSecond()) + "/s";
                            work.figure(side.name(), measured.serverCpuMicros(), rate);
                        });
    }
}
