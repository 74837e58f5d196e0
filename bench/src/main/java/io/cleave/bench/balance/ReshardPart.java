package io.cleave.bench.balance;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.balance.Clients.Noticed;

import java.time.Duration;

/// A large table goes from one tablet to many and back by `desired_tablet_count`, while clients
/// read and write it.
final class ReshardPart {
    private static final int TABLETS = 40;
    private static final int CLIENTS = 8;
    private static final Duration THINKING = Duration.ofMillis(5);
    private static final Duration QUIET = Duration.ofSeconds(20);

    /// A count is a target: tablets stay that are up to 1.9 times as small or as large.
    private static final double TOLERANCE = 1.9;

    private final Figures figures;
    private final int megabytes;

    ReshardPart(Figures figures, int megabytes) {
        this.figures = figures;
        this.megabytes = megabytes;
    }

    void run() throws Exception {
        try (var server = ServerProcess.start("--yt-port", "0", "--cells", "4")) {
            long from = System.nanoTime();
            try (var rows = new NumberedRows(server, megabytes, "")) {
                double seconds = (System.nanoTime() - from) / 1e9;
                figures.print("reshard: %,d MB loaded in".formatted(megabytes), seconds, "s");
                var _ = during(rows, () -> Thread.sleep(QUIET));
                Noticed quiet = during(rows, () -> Thread.sleep(QUIET));
                figures.print("reshard: quiet, write p99", quiet.write(990), "ms");
                rows.letRoundsRun();
                int many = reshard(rows, quiet, "growing", TABLETS);
                figures.printWithBarAtLeast(
                        TABLETS / TOLERANCE, "reshard: tablets after growing", many, "");
                figures.printWithBarAtMost(
                        TABLETS * TOLERANCE, "reshard: tablets after growing", many, "");
                int one = reshard(rows, quiet, "shrinking", 1);
                figures.printWithBarAtMost(1, "reshard: tablets after shrinking", one, "");
            }
        }
    }

    /// Returns the number of tablets in the end.
    private int reshard(NumberedRows rows, Noticed quiet, String when, int wanted)
            throws Exception {
        long from = System.nanoTime();
        Noticed busy =
                during(
                        rows,
                        () -> {
                            rows.wantTablets(wanted);
                            var _ = Rounds.settle(rows.tablets());
                        });
        figures.print("reshard: " + when + " took", (System.nanoTime() - from) / 1e9, "s");
        busy.errors().forEach((what, times) -> figures.say(when + ": " + what + ": " + times));
        figures.printWithBarAtMost(0, "reshard: " + when + ": errors", (double) busy.failed(), "");
        figures.print("reshard: " + when + ": read p99", busy.read(990), "ms");
        figures.print("reshard: " + when + ": write p99", busy.write(990), "ms");
        figures.print("reshard: " + when + ": write p99.9", busy.write(999), "ms");
        figures.printWithBarAtMost(
                20,
                "reshard: " + when + ": write p99 beyond quiet",
                busy.write(990) - quiet.write(990),
                "ms");
        return rows.tablets().list().size();
    }

    private static Noticed during(NumberedRows rows, Clients.Work work) throws Exception {
        return Clients.during(CLIENTS, THINKING, 2, _ -> rows.sdkClient(), work);
    }
}
