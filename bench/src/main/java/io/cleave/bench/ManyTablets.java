package io.cleave.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// Ten thousand empty tablets in one process.
final class ManyTablets {
    private static final int TABLETS = 10_000;
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration SETTLE = Duration.ofSeconds(10);

    private final Figures figures;

    ManyTablets(Figures figures) {
        this.figures = figures;
    }

    void run() throws Exception {
        long emptyBytes;
        try (var server = ServerProcess.start()) {
            Thread.sleep(SETTLE);
            emptyBytes = liveBytes(server);
        }
        Path data;
        var first = ServerProcess.start();
        try (var rows = new WideRows(first.endpoint())) {
            rows.execute(
                    "CREATE TABLE many (id Uint64 NOT NULL, text Utf8, PRIMARY KEY (id))"
                            + " WITH (UNIFORM_PARTITIONS = "
                            + TABLETS
                            + ", AUTO_PARTITIONING_BY_SIZE = DISABLED)");
        } finally {
            data = first.stop();
        }
        try (var server = ServerProcess.start(data)) {
            double startup = server.startup().toNanos() / 1e9;
            figures.printWithBarAtMost(5, "start-up with 10,000 tablets", startup, "s");
            Thread.sleep(SETTLE);
            Duration before = server.cpuTime();
            Thread.sleep(IDLE);
            double share = 100.0 * server.cpuTime().minus(before).toNanos() / IDLE.toNanos();
            figures.printWithBarAtMost(3, "idle CPU, of one core", share, "%");
            double kib = (liveBytes(server) - emptyBytes) / 1024.0 / TABLETS;
            figures.printWithBarAtMost(40, "heap of an empty tablet", kib, "KB");
        }
    }

    /// Live bytes on the heap, after a full collection.
    private static long liveBytes(ServerProcess server) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process =
                new ProcessBuilder(
                                jcmd.toString(), String.valueOf(server.pid()), "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        String total =
                text.lines()
                        .filter(line -> line.startsWith("Total"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("jcmd answered: " + text));
        return Long.parseLong(total.trim().split(" +")[2]);
    }
}
