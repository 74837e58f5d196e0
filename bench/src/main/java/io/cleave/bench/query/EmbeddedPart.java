package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.time.Duration;

/// The same point select and upsert inside this process, without a network: Cleave through its
/// front door, H2 through its own driver.
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

    private static void compare(
            Servers servers, Bars bars, String what, Load.Clients ours, Load.Clients theirs)
            throws Exception {
        var _ = rate(16, ours, servers.time());
        var _ = rate(16, theirs, servers.time());
        for (int clientCount : CLIENT_COUNTS) {
            String title = what + " inside the JVM" + Part.with(clientCount);
            Bars.Work work = bars.work(title, "per second").atLeast(BAR, Bars.H2);
            work.figure(Bars.CLEAVE, rate(clientCount, ours, servers.time()), "");
            work.figure(Bars.H2, rate(clientCount, theirs, servers.time()), "");
        }
    }

    private static double rate(int clientCount, Load.Clients clients, Duration time)
            throws Exception {
        return new Load(() -> Duration.ZERO, clientCount).run(clients, time).perSecond();
    }
}
