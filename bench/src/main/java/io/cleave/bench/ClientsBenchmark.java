package io.cleave.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// What a program with `ydb-sdk-query` gets from a server on the same machine. Every upsert is
/// durable when it is counted. Client and server share the cores, so rates are limited by both. CPU
/// is that of the server alone.
@Command(
        name = "clients",
        description = "Start-up, point reads, upserts and range reads through the Java SDK.",
        mixinStandardHelpOptions = true)
final class ClientsBenchmark implements Callable<Integer> {
    private static final double STARTUP_BAR_SECONDS = 1.5;
    private static final int STARTS = 5;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "8",
            description = "How long each rate is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Override
    public Integer call() throws Exception {
        var figures = new Figures(System.out);
        figures.printWithBarAtMost(STARTUP_BAR_SECONDS, "start-up", startupSeconds(), "s");
        try (var server = ServerProcess.start();
                var workload = new SeriesWorkload(server.endpoint())) {
            workload.load();
            warmUp(server, workload);
            for (int clients : new int[] {1, 16, 64}) {
                measure(figures, server, "point reads", clients, workload::pointReader);
            }
            for (int clients : new int[] {1, 16, 64}) {
                measure(figures, server, "upserts", clients, workload::writer);
            }
            measure(figures, server, "100-row range reads", 16, workload::rangeReader);
        }
        return figures.finish() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /// Runs until the JVMs of both sides have compiled the hot code. The first seconds would
    /// measure the compiler.
    private void warmUp(ServerProcess server, SeriesWorkload workload) throws Exception {
        List<Load.Clients> kinds =
                List.of(workload::pointReader, workload::writer, workload::rangeReader);
        for (Load.Clients clients : kinds) {
            var _ = new Load(server, 16).run(clients, Duration.ofSeconds(seconds));
        }
    }

    private void measure(
            Figures figures, ServerProcess server, String what, int count, Load.Clients clients)
            throws Exception {
        var measured = new Load(server, count).run(clients, Duration.ofSeconds(seconds));
        String name = what + ", " + count + (count == 1 ? " client" : " clients");
        figures.print(name, measured.perSecond(), "per second");
        figures.print("  server CPU", measured.serverCpuMicros(), "us per operation");
        String latencies = String.format(Locale.ROOT, "us p50, %,.0f us p99", measured.p99Micros());
        figures.print("  latency", measured.p50Micros(), latencies);
    }

    /// The median of several starts, each on an empty folder.
    private static double startupSeconds() throws Exception {
        double[] starts = new double[STARTS];
        for (int start = 0; start < STARTS; start++) {
            try (var server = ServerProcess.start()) {
                starts[start] = server.startup().toNanos() / 1e9;
            }
        }
        Arrays.sort(starts);
        return starts[STARTS / 2];
    }
}
