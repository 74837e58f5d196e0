package io.cleave.bench.abuse;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs the attacks on a server with one heap size, one after the other. A server that has missed a
/// bar is restarted on its folder, so that damage does not affect the next attack.
final class HeapRun implements AutoCloseable {
    private static final double P999_BAR_MILLIS = 250;
    private static final double SLOWEST_BAR_MILLIS = 1_000;
    private static final double HEALTH_BAR_MILLIS = 250;

    /// Allowed growth of live memory; for caches that have filled meanwhile.
    private static final double MEMORY_BAR_MEGABYTES = 64;

    private static final Duration MEMORY_TIME = Duration.ofSeconds(10);
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final Duration CALM = Duration.ofSeconds(5);

    private final Figures figures;
    private final String heap;
    private final AttackTime time;
    private final EchoRun echo;
    private ServerProcess server;
    private GoodClient client;
    private HealthProbe probe;

    private HeapRun(
            Figures figures, String heap, AttackTime time, EchoRun echo, ServerProcess server) {
        this.figures = figures;
        this.heap = heap;
        this.time = time;
        this.echo = echo;
        this.server = server;
        this.client = new GoodClient(target(), BigTable.ROWS);
        this.probe = new HealthProbe(target());
    }

    /// Starts the server on a new folder and loads the table.
    static HeapRun start(Figures figures, String heap, AttackTime time, EchoRun echo)
            throws IOException {
        var server = ServerProcess.startWithHeap(Files.createTempDirectory("cleave-bench"), heap);
        try {
            BigTable.load(server.endpoint(), BigTable.ROWS);
            BigTable.warm(server.endpoint());
            return new HeapRun(figures, heap, time, echo, server);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private Target target() {
        return Target.of(server.endpoint(), server.console(), server.ytProxy());
    }

    void run(List<String> attacks) throws IOException, InterruptedException {
        var _ = Observed.calm(WARM_UP, client, probe);
        Observed calm = Observed.calm(CALM, client, probe);
        figures.say("heap %s, no attack".formatted(heap));
        figures.say("  good client: " + EchoRun.text(calm));
        int missed = figures.missed();
        for (String attack : attacks) {
            if (missed < figures.missed()) {
                restart();
            }
            missed = figures.missed();
            attack(attack);
        }
    }

    private void restart() throws IOException, InterruptedException {
        client.close();
        probe.close();
        server.kill();
        server = ServerProcess.startWithHeap(server.stop(), heap);
        BigTable.warm(server.endpoint());
        client = new GoodClient(target(), BigTable.ROWS);
        probe = new HealthProbe(target());
        var _ = Observed.calm(WARM_UP, client, probe);
    }

    private void attack(String name) throws IOException, InterruptedException {
        double before = HeapUse.megabytes(server.pid());
        Observed seen = Observed.attack(name, time.seconds(name), target(), client, probe);
        double beyond = heldBeyond(before);
        // The server may have ended after the attack.
        boolean alive = server.isAlive();
        figures.say("heap %s, %s (%.1f s)".formatted(heap, Attack.title(name), seen.seconds()));
        figures.printWithBarAtMost(0, "  processes that ended", alive ? 0 : 1, "");
        if (!alive) {
            figures.say("    " + server.lastWords());
        }
        report(seen.endings());
        report(seen.good());
        echo.line(name).ifPresent(line -> figures.say("    beside a bare echo: " + line));
        figures.printWithBarAtMost(
                MEMORY_BAR_MEGABYTES,
                "  memory held beyond %.0f MB, 10 s later".formatted(before),
                beyond,
                "MB");
        report(seen.health());
    }

    private void report(Endings endings) {
        endings.lines()
                .lines()
                .forEach(line -> figures.say("    " + line.replace("\t", "  ").stripTrailing()));
        figures.printWithBarAtMost(
                0,
                "  refused without naming the limit",
                (double) endings.count(ending -> ending.isRefused() && !ending.namesLimit()),
                "");
    }

    private void report(GoodTally.Report good) {
        figures.say(
                "    the good client: %,d requests, %,d sessions; from its side p99.9 %.0f ms, slowest %.0f ms"
                        .formatted(
                                good.requests(),
                                good.sessions(),
                                good.p999AtClient(),
                                good.slowestAtClient()));
        figures.printWithBarAtMost(0, "  good client: failed", (double) good.failures(), "");
        if (!good.example().isEmpty()) {
            figures.say("    " + good.example());
        }
        figures.printWithBarAtMost(
                P999_BAR_MILLIS, "  good client: p99.9 in the server", good.p999(), "ms");
        figures.printWithBarAtMost(
                SLOWEST_BAR_MILLIS, "  good client: slowest in the server", good.slowest(), "ms");
    }

    private void report(HealthProbe.Report health) {
        figures.printWithBarAtMost(0, "  /healthz: failed", (double) health.failures(), "");
        if (!health.example().isEmpty()) {
            figures.say("    " + health.example());
        }
        figures.printWithBarAtMost(
                HEALTH_BAR_MILLIS, "  /healthz: slowest", health.slowest(), "ms");
        figures.say(
                "    %d answers; from its side the slowest %.0f ms"
                        .formatted(health.answers(), health.slowestAtClient()));
    }

    /// Megabytes beyond `before` that a full collection leaves. Measures until the value is below
    /// the bar or the time is over, and returns the last value. NaN if the process has ended or
    /// does not report it.
    private double heldBeyond(double before) throws InterruptedException {
        Deadline deadline = Deadline.after(MEMORY_TIME);
        double beyond = Double.NaN;
        while (server.isAlive()) {
            try {
                beyond = HeapUse.megabytes(server.pid()) - before;
            } catch (IOException e) {
                figures.say(String.valueOf(e.getMessage()).lines().findFirst().orElse("jcmd"));
            }
            if (beyond <= MEMORY_BAR_MEGABYTES || deadline.isOver()) {
                return beyond;
            }
            TimeUnit.SECONDS.sleep(1);
        }
        return Double.NaN;
    }

    @Override
    public void close() throws IOException {
        client.close();
        probe.close();
        server.close();
    }
}
