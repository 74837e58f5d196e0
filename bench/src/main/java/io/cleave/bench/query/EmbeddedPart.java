package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.time.Duration;
import java.util.List;

/// Point selects and upserts inside this process, without a network: Cleave through its front door,
/// H2 through its own driver.
final class EmbeddedPart implements Part {
    private static final double BAR = 3;
    private static final int MOST_ITEMS = 100_000;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        int items = Math.min(servers.items(), MOST_ITEMS);
        try (var cleave = new InProcess();
                var h2 = new EmbeddedH2(items)) {
            cleave.load(items);
            compare(
                    servers,
                    bars,
                    "point select",
                    _ -> cleave.reader(items),
                    _ -> h2.reader(items));
            compare(
                    servers,
                    bars,
                    "durable upsert",
                    _ -> cleave.writer(items),
                    _ -> h2.writer(items));
        }
    }

    private record Asked(String name, Load.Clients clients) {}

    private static void compare(
            Servers servers, Bars bars, String what, Load.Clients ours, Load.Clients theirs)
            throws Exception {
        List<Asked> sides = List.of(new Asked(Bars.CLEAVE, ours), new Asked(Bars.H2, theirs));
        for (Asked side : sides) {
            var _ = measure(16, side.clients, servers.time());
        }
        for (int clientCount : CLIENT_COUNTS) {
            String title = what + " inside the JVM" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "per second").atLeast(BAR, Bars.H2);
            Turns.middle(
                            sides,
                            side -> measure(clientCount, side.clients, servers.time()),
                            Load.Measured::perSecond)
                    .forEach((side, measured) -> work.figure(side.name, measured.perSecond(), ""));
        }
    }

    private static Load.Measured measure(int clientCount, Load.Clients clients, Duration time)
            throws Exception {
        return new Load(() -> Duration.ZERO, clientCount).run(clients, time);
    }
}
