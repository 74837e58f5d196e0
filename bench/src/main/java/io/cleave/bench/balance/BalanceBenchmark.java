package io.cleave.bench.balance;

import io.cleave.bench.Figures;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;

/// What YTsaurus' balancer takes for its plans, how good they are, and what clients notice of its
/// work.
@Command(
        name = "balance",
        description =
                "YTsaurus' balancer: the plans of large bundles, and what clients notice of it.",
        mixinStandardHelpOptions = true)
public final class BalanceBenchmark implements Callable<Integer> {
    private enum Part {
        PLAN,
        RESHARD,
        MEMORY,
        PREDICT,
        CLIENTS
    }

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "One of: plan, reshard, memory, predict, clients. Default: all.")
    private @Nullable Part only;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which bundles are drawn. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            defaultValue = "10240",
            description =
                    "The size of the table that is resharded. The tables of the other parts have a"
                            + " tenth of it. Default: ${DEFAULT-VALUE}.")
    private int megabytes;

    @Override
    public Integer call() throws Exception {
        var figures = new Figures(System.out);
        if (isAsked(Part.PLAN)) {
            new PlanPart(seed).run(figures);
        }
        if (isAsked(Part.RESHARD)) {
            new ReshardPart(figures, megabytes).run();
        }
        if (isAsked(Part.MEMORY)) {
            new MemoryPart(figures, megabytes / 10).run();
        }
        if (isAsked(Part.PREDICT)) {
            new PredictPart(figures, megabytes / 10).run();
        }
        if (isAsked(Part.CLIENTS)) {
            new ClientsPart(figures, megabytes / 10).run();
        }
        return figures.finish() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private boolean isAsked(Part part) {
        return only == null || only == part;
    }
}
