package io.cleave.bench.query;

import io.cleave.bench.Figures;
import io.cleave.bench.Load;
import io.cleave.bench.ServerProcess;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/// The server CPU per operation of this build, compared with another build. Both servers run at the
/// same time on the same rows, and are measured in turn, so that a noisy machine disturbs both.
@Command(
        name = "builds",
        description = "CPU per operation of this build and of another build, measured in turn.",
        mixinStandardHelpOptions = true)
public final class BuildsBenchmark implements Callable<Integer> {
    private static final int ROWS = 1_000_000;
    private static final double BAR = 1.05;

    private static final Map<String, Work> WORKS = new LinkedHashMap<>();

    static {
        WORKS.put("point", new Work(400_000, (side, _) -> PointPart.client(side, ROWS)));
        WORKS.put("range", new Work(100_000, (side, _) -> RangePart.client(side, ROWS)));
        WORKS.put("upsert", new Work(150_000, (side, _) -> UpsertPart.client(side, ROWS)));
        WORKS.put("batch", new Work(3_000, (side, index) -> BatchPart.client(side, index, ROWS)));
    }

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--before",
            paramLabel = "DIR",
            required = true,
            description = "A checkout of the other build; its ./cleave is started.")
    private Path before = Path.of(".");

    @Option(
            names = "--only",
            paramLabel = "WORK",
            split = ",",
            description =
                    "point, range, upsert or batch; several with commas. Default: point, range and"
                            + " upsert.")
    private List<String> only = List.of("point", "range", "upsert");

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            description = "How many clients; several with commas. Default: 64, 16 and 1.")
    private List<Integer> clientCounts = Part.CLIENT_COUNTS;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How long each measurement takes. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each build is measured. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    private interface Clients {
        Load.Client open(Side side, int index) throws Exception;
    }

    /// @param warmUp requests before the first measurement
    private record Work(int warmUp, Clients clients) {}

    @Override
    public Integer call() throws Exception {
        Path launcher = before.resolve("cleave");
        checkArguments(launcher);
        var figures = new Figures(System.out);
        try (var old = ServerProcess.startBuild(launcher);
                var current = ServerProcess.start()) {
            List<Side> sides = List.of(side(old), side(current));
            for (ServerProcess server : List.of(old, current)) {
                Items.loadCleave(side(server), ROWS);
                Servers.compact(server, "items");
            }
            for (String name : only) {
                measure(figures, name, Objects.requireNonNull(WORKS.get(name)), sides);
            }
        }
        return figures.finish() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void checkArguments(Path launcher) {
        if (!Files.isExecutable(launcher)) {
            throw wrong("there is no program " + launcher + ": --before names a checkout");
        }
        for (String name : only) {
            if (!WORKS.containsKey(name)) {
                throw wrong("there is no work " + name + ": " + WORKS.keySet());
            }
        }
        if (seconds < 1 || rounds < 1 || clientCounts.stream().anyMatch(count -> count < 1)) {
            throw wrong("--seconds, --rounds and --clients must be at least 1");
        }
    }

    private static Side side(ServerProcess server) {
        return new Side(Bars.CLEAVE, "jdbc:ydb:" + server.endpoint(), server::cpuTime);
    }

    private void measure(Figures figures, String name, Work work, List<Side> sides)
            throws Exception {
        for (Side side : sides) {
            WarmUp.run(side, work.warmUp(), index -> work.clients().open(side, index));
        }
        for (int clientCount : clientCounts) {
            List<List<Double>> cpu = List.of(new ArrayList<>(), new ArrayList<>());
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                for (int number = 0; number < sides.size(); number++) {
                    Side side = sides.get(number);
                    Load.Measured measured =
                            side.measure(
                                    clientCount,
                                    index -> work.clients().open(side, index),
                                    Duration.ofSeconds(seconds));
                    cpu.get(number).add(measured.serverCpuMicros());
                }
                ratios[round] = cpu.getLast().get(round) / cpu.getFirst().get(round);
            }
            String title = name + Part.with(clientCount);
            figures.print(title + ": before", median(cpu.getFirst()), "us of server CPU");
            figures.print(title + ": this build", median(cpu.getLast()), "us of server CPU");
            double ratio = median(Arrays.stream(ratios).boxed().toList());
            figures.printWithBarAtMost(BAR, title + ": median ratio", ratio, "x");
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private ParameterException wrong(String what) {
        CommandSpec known = spec;
        if (known == null) {
            throw new IllegalStateException(what);
        }
        return new ParameterException(known.commandLine(), what);
    }
}
