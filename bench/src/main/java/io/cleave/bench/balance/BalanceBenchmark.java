package io.cleave.bench.balance;

import io.cleave.bench.Figures;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;

/// What YTsaurus' balancer takes for its plans, and how good they are.
@Command(
        name = "balance",
        description = "YTsaurus' balancer: the plans of large bundles.",
        mixinStandardHelpOptions = true)
public final class BalanceBenchmark implements Callable<Integer> {
    private enum Part {
        PLAN
    }

    @Option(names = "--only", paramLabel = "PART", description = "One of: plan. Default: all.")
    private @Nullable Part only;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which bundles are drawn. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Override
    public Integer call() {
        var figures = new Figures(System.out);
        if (only == null || only == Part.PLAN) {
            new PlanPart(seed).run(figures);
        }
        return figures.finish() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
