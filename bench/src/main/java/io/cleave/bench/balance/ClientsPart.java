package io.cleave.bench.balance;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.Tablets.Tablet;
import io.cleave.bench.balance.Clients.Noticed;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Many clients, half of them YDB's and half YTsaurus', read and write while rounds follow each
/// other and settings change.
final class ClientsPart {
    private static final int CLIENTS = 32;
    private static final Duration THINKING = Duration.ofMillis(10);
    private static final Duration QUIET = Duration.ofSeconds(20);
    private static final Duration BETWEEN = Duration.ofSeconds(5);
    private static final List<Integer> COUNTS = List.of(16, 2, 40, 4, 24, 1, 10, 3);

    private final Figures figures;
    private final int megabytes;

    ClientsPart(Figures figures, int megabytes) {
        this.figures = figures;
        this.megabytes = megabytes;
    }

    void run() throws Exception {
        try (var server = ServerProcess.start("--yt-port", "0", "--cells", "4");
                var rows = new NumberedRows(server, megabytes, "")) {
            var _ = during(rows, () -> Thread.sleep(QUIET));
            Noticed quiet = during(rows, () -> Thread.sleep(QUIET));
            Set<Tablet> seen = new HashSet<>();
            rows.set(
                    "//sys/tablet_cell_bundles/default/@tablet_balancer_config/enable_cell_balancer",
                    "%true");
            rows.letRoundsRun();
            Noticed busy = during(rows, () -> change(rows, seen));
            figures.print("clients: quiet, write p99", quiet.write(990), "ms");
            figures.print("clients: quiet, write p99.9", quiet.write(999), "ms");
            figures.print("clients: tablets that there were", seen.size(), "");
            busy.errors().forEach((what, times) -> figures.say("clients: " + what + ": " + times));
            figures.printWithBarAtMost(0, "clients: errors", (double) busy.failed(), "");
            figures.printWithBarAtMost(
                    20,
                    "clients: write p99 beyond quiet",
                    busy.write(990) - quiet.write(990),
                    "ms");
            figures.printWithBarAtMost(
                    40,
                    "clients: write p99.9 beyond quiet",
                    busy.write(999) - quiet.write(999),
                    "ms");
        }
    }

    /// Other settings again and again, and each tablet in each place that it had meanwhile.
    private static void change(NumberedRows rows, Set<Tablet> seen) throws Exception {
        for (int count : COUNTS) {
            rows.wantTablets(count);
            long until = System.nanoTime() + BETWEEN.toNanos();
            while (System.nanoTime() < until) {
                seen.addAll(rows.tablets().list());
                Thread.sleep(200);
            }
        }
    }

    private static Noticed during(NumberedRows rows, Clients.Work work) throws Exception {
        return Clients.during(
                CLIENTS,
                THINKING,
                2,
                index -> index % 2 == 0 ? rows.sdkClient() : rows.ytClient(),
                work);
    }
}
