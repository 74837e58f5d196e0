package io.cleave.bench.balance;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.Tablets;
import io.cleave.bench.balance.Clients.Noticed;

import java.nio.file.Files;
import java.time.Duration;

/// An in-memory table in one tablet goes to another cell and back, while clients read it.
final class MemoryPart {
    private static final int CLIENTS = 8;
    private static final Duration THINKING = Duration.ofMillis(2);
    private static final Duration QUIET = Duration.ofSeconds(15);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final int MOVES = 12;

    /// One request in this many is a write, so that moves have something to flush.
    private static final int WRITE_ONE_IN = 10;

    /// A tenth of the heap is for in-memory tables; a half more than the table leaves room for the
    /// files that a compaction writes.
    private static final double HEAP_FOR_A_TABLE = 13;

    private final Figures figures;
    private final int megabytes;

    MemoryPart(Figures figures, int megabytes) {
        this.figures = figures;
        this.megabytes = megabytes;
    }

    void run() throws Exception {
        String heap = Math.max(512, (long) (megabytes * HEAP_FOR_A_TABLE)) + "m";
        try (var server =
                        ServerProcess.startWithHeap(
                                Files.createTempDirectory("cleave-bench"), heap, "--cells", "2");
                var rows =
                        new NumberedRows(
                                server, megabytes, "FAMILY default (CACHE_MODE = \"in_memory\")")) {
            var _ = during(rows, () -> Thread.sleep(QUIET));
            Noticed quiet = during(rows, () -> Thread.sleep(QUIET));
            Noticed busy = during(rows, () -> move(rows.tablets()));
            figures.print("memory: quiet, read p99", quiet.read(990), "ms");
            figures.print("memory: %d moves, read p99".formatted(MOVES), busy.read(990), "ms");
            figures.print("memory: %d moves, read p99.9".formatted(MOVES), busy.read(999), "ms");
            busy.errors().forEach((what, times) -> figures.say("memory: " + what + ": " + times));
            figures.printWithBarAtMost(
                    2, "memory: read p99 / quiet", busy.read(990) / quiet.read(990), "");
            figures.printWithBarAtMost(0, "memory: errors", (double) busy.failed(), "");
        }
    }

    private static void move(Tablets tablets) throws Exception {
        for (int move = 0; move < MOVES; move++) {
            for (Tablets.Tablet tablet : tablets.list()) {
                tablets.move(tablet, 3 - tablet.cell());
            }
            Thread.sleep(BETWEEN);
        }
    }

    private static Noticed during(NumberedRows rows, Clients.Work work) throws Exception {
        return Clients.during(CLIENTS, THINKING, WRITE_ONE_IN, _ -> rows.sdkClient(), work);
    }
}
