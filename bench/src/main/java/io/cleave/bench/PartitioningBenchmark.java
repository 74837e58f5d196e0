package io.cleave.bench;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.concurrent.Callable;

/// How tables split and merge automatically and what clients notice of it, and what read replicas
/// do. A run of all parts writes `docs/benchmarks/partitioning.md`.
@Command(
        name = "partitioning",
        description =
                "Tables that split, merge and spread over cells by size and by load; read"
                        + " replicas.",
        mixinStandardHelpOptions = true)
final class PartitioningBenchmark implements Callable<Integer> {
    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "One of: size, load, spread, stale, rename. Default: all.")
    private @Nullable Part only;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            defaultValue = "3000",
            description =
                    "How much part size loads; a tablet is split at a thirtieth of it."
                            + " Default: ${DEFAULT-VALUE}.")
    private int megabytes;

    @Option(
            names = "--split-cpu",
            paramLabel = "PERCENT",
            defaultValue = "20",
            description =
                    "The CPU time of a tablet, in percent of a core, from which part load splits"
                            + " it. It is low because the clients use the same machine."
                            + " Default: ${DEFAULT-VALUE}.")
    private double splitCpu;

    @Option(
            names = "--gigabytes",
            paramLabel = "N",
            defaultValue = "10",
            description = "The large table of part rename. Default: ${DEFAULT-VALUE}.")
    private int gigabytes;

    /// The parts that can be measured separately.
    enum Part {
        SIZE,
        LOAD,
        SPREAD,
        STALE,
        RENAME
    }

    @Override
    public Integer call() throws Exception {
        var figures = new Figures(System.out);
        if (wanted(Part.SIZE)) {
            new SizePartitioning(figures, megabytes).run();
        }
        if (wanted(Part.LOAD)) {
            new LoadPartitioning(figures, splitCpu).run();
        }
        if (wanted(Part.SPREAD)) {
            new SpreadTransactions(figures).run();
        }
        if (wanted(Part.STALE)) {
            new StaleReading(figures).run();
        }
        if (wanted(Part.RENAME)) {
            new LargeRename(figures, gigabytes).run();
        }
        boolean good = figures.finish();
        if (only == null) {
            Path page = PartitioningPage.write(figures.text(), megabytes, splitCpu, gigabytes);
            System.out.println("written: " + page);
        }
        return good ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private boolean wanted(Part part) {
        return only == null || only == part;
    }
}
