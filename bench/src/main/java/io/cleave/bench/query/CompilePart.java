package io.cleave.bench.query;

import io.cleave.access.Caller;
import io.cleave.query.Database;
import io.cleave.query.QueryText;
import io.cleave.query.Session;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Compiles simple queries from text to plan. No text was seen before.
final class CompilePart implements Part {
    private static final double BAR_MILLIS = 1;

    private static final List<String> TEXTS =
            List.of(
                    "SELECT text FROM items WHERE id = %d",
                    "SELECT id, text FROM items WHERE id >= %d AND id < 17 ORDER BY id LIMIT 10",
                    "SELECT COUNT(*) AS n FROM items WHERE id > %d AND text LIKE 'a%%'",
                    "UPSERT INTO items (id, text) VALUES (%d, 'text')",
                    "UPDATE items SET text = 'text' WHERE id = %d",
                    "DELETE FROM items WHERE id = %d");

    private int made;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        try (var cleave = new InProcess()) {
            Bars.Work work = bars.work("a new simple query, from text to plan", "ms of CPU");
            work.atMost(BAR_MILLIS);
            var _ = cpuMillis(cleave.database(), servers.time().multipliedBy(2));
            double millis = cpuMillis(cleave.database(), servers.time());
            work.figure(Bars.CLEAVE, millis, "mean of %d kinds".formatted(TEXTS.size()));
        }
    }

    private double cpuMillis(Database database, Duration time) {
        var threads = ManagementFactory.getThreadMXBean();
        long until = System.nanoTime() + time.toNanos();
        long cpuNanos = threads.getCurrentThreadCpuTime();
        Session session = database.as(Caller.IN_PROCESS).newSession();
        int count = 0;
        while (System.nanoTime() < until) {
            for (String text : TEXTS) {
                made++;
                count++;
                var _ =
                        database.compile(
                                session, QueryText.ofQueryService(text.formatted(made), Map.of()));
            }
        }
        return (threads.getCurrentThreadCpuTime() - cpuNanos) / 1e6 / count;
    }
}
