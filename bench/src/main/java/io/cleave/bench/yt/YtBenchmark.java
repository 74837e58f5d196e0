package io.cleave.bench.yt;

import io.cleave.bench.Figures;
import io.cleave.bench.Load;
import io.cleave.bench.ServerProcess;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Rows, queries and the tree through YTsaurus' HTTP API.
///
/// Servers that are compared run at the same time and are measured in turn. A figure is the median
/// of the rounds.
@Command(
        name = "yt",
        description = "YTsaurus' API: rows, queries by computed keys, and the tree.",
        mixinStandardHelpOptions = true)
public final class YtBenchmark implements Callable<Integer> {
    static final int CLIENTS = 16;

    private enum Part {
        LOOKUP,
        ROWS,
        SELECT,
        INFERENCE,
        TREE
    }

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "One of: lookup, rows, select, inference, tree. Default: all.")
    private @Nullable Part only;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How long each measurement takes. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often each is measured. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        var figures = new Figures(System.out);
        try (var server = ServerProcess.start("--yt-port", "0")) {
            var tables = new YtTables(server);
            if (wanted(Part.LOOKUP)) {
                new LookupPart(this, server, tables).run(figures);
            }
            if (wanted(Part.ROWS)) {
                new RowsPart(this, server, tables).run(figures);
            }
            if (wanted(Part.SELECT)) {
                new SelectPart(this, server, tables).run(figures);
            }
            if (wanted(Part.TREE)) {
                new TreePart(server).run(figures);
            }
        }
        if (wanted(Part.INFERENCE)) {
            new InferencePart().run(figures);
        }
        return figures.finish() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private boolean wanted(Part part) {
        return only == null || only == part;
    }

    /// One of several that are compared.
    record Contender(Supplier<Duration> cpuTime, Load.Clients clients) {}

    /// The median CPU microseconds per request of each, in the order given.
    List<Double> compare(Contender... contenders) throws Exception {
        return compare(CLIENTS, contenders);
    }

    List<Double> compare(int clientCount, Contender... contenders) throws Exception {
        List<List<Double>> cpu = new ArrayList<>();
        for (Contender each : contenders) {
            // Warms up; the figure is not used.
            var _ = measure(clientCount, each);
            cpu.add(new ArrayList<>());
        }
        for (int round = 0; round < rounds; round++) {
            for (int index = 0; index < contenders.length; index++) {
                cpu.get(index).add(measure(clientCount, contenders[index]));
            }
        }
        return cpu.stream().map(YtBenchmark::median).toList();
    }

    private double measure(int clientCount, Contender contender) throws Exception {
        return new Load(contender.cpuTime(), clientCount)
                .run(contender.clients(), Duration.ofSeconds(seconds))
                .serverCpuMicros();
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
