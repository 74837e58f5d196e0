package io.cleave.bench;

import io.cleave.bench.MixedWorkload.Answers;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// What clients notice when tablets are split, merged and moved, what these changes cost, and what
/// many tablets cost.
@Command(
        name = "tablets",
        description = "Splits, merges and moves under load; a large split; many tablets.",
        mixinStandardHelpOptions = true)
final class TabletsBenchmark implements Callable<Integer> {
    private static final int CLIENTS = 32;
    private static final int CELLS = 4;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long the quiet and the busy run take. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "One of: load, split, ways, many. Default: all.")
    private @Nullable Part only;

    enum Part {
        LOAD,
        SPLIT,
        WAYS,
        MANY
    }

    @Override
    public Integer call() throws Exception {
        var figures = new Figures(System.out);
        if (wanted(Part.LOAD)) {
            underLoad(figures);
        }
        if (wanted(Part.SPLIT)) {
            new LargeSplit(figures).run();
        }
        if (wanted(Part.WAYS)) {
            new CommitCost(figures).run();
        }
        if (wanted(Part.MANY)) {
            new ManyTablets(figures).run();
        }
        return figures.finish() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private boolean wanted(Part part) {
        return only == null || only == part;
    }

    private void underLoad(Figures figures) throws Exception {
        try (var server = ServerProcess.start("--cells", String.valueOf(CELLS));
                var workload = new MixedWorkload(server.endpoint(), CLIENTS)) {
            workload.load();
            var _ = workload.run(CLIENTS, after(Duration.ofSeconds(seconds / 3)));
            Answers quiet = workload.run(CLIENTS, after(Duration.ofSeconds(seconds)));
            print(figures, "quiet", quiet);
            var tablets = new Tablets(server.console(), MixedWorkload.TABLE);
            var driver =
                    new StructureDriver(
                            tablets,
                            CELLS,
                            number ->
                                    String.valueOf(Math.floorMod(number, MixedWorkload.ROW_COUNT)));
            var ended = new AtomicBoolean();
            CompletableFuture<Answers> running =
                    CompletableFuture.supplyAsync(() -> run(workload, ended));
            try {
                driver.run(Duration.ofSeconds(seconds));
            } finally {
                ended.set(true);
            }
            Answers busy = running.join();
            print(figures, "busy", busy);
            figures.print("tablets in the end", tablets.list().size(), "");
            compare(figures, quiet, busy);
        }
    }

    private static Answers run(MixedWorkload workload, AtomicBoolean ended) {
        try {
            return workload.run(CLIENTS, ended::get);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static BooleanSupplier after(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() - until >= 0;
    }

    private static void print(Figures figures, String which, Answers answers) {
        figures.print(which + ": transactions", (double) answers.transactionCount(), "");
        figures.print(which + ": aborted of them", 100 * abortedShare(answers), "%");
        figures.print(which + ": read p99", Samples.millisAt(answers.reads(), 990), "ms");
        figures.print(which + ": write p50", Samples.millisAt(answers.writes(), 500), "ms");
        figures.print(which + ": write p99", Samples.millisAt(answers.writes(), 990), "ms");
        figures.print(which + ": write p99.9", Samples.millisAt(answers.writes(), 999), "ms");
        double transaction = Samples.millisAt(answers.transactions(), 990);
        figures.print(which + ": transaction p99", transaction, "ms");
        print(which + ": read or write answered ", answers.errors());
        print(which + ": transaction answered ", answers.failures());
    }

    private static void print(String what, Map<String, Long> statuses) {
        statuses.forEach((status, count) -> System.out.println(what + status + ": " + count));
    }

    private static double abortedShare(Answers answers) {
        return (double) answers.aborted() / Math.max(1, answers.transactionCount());
    }

    private static void compare(Figures figures, Answers quiet, Answers busy) {
        figures.printWithBarAtMost(
                0, "reads and single writes that failed", (double) busy.errorCount(), "");
        long failed = busy.failures().values().stream().mapToLong(Long::longValue).sum();
        figures.printWithBarAtMost(0, "transactions that failed, not ABORTED", (double) failed, "");
        double aborted = 100 * (abortedShare(busy) - abortedShare(quiet));
        figures.printWithBarAtMost(0.5, "transactions ABORTED beyond quiet", aborted, "%");
        figures.printWithBarAtMost(20, "write p99 beyond quiet", beyond(quiet, busy, 990), "ms");
        figures.printWithBarAtMost(40, "write p99.9 beyond quiet", beyond(quiet, busy, 999), "ms");
    }

    private static double beyond(Answers quiet, Answers busy, int perMille) {
        return Samples.millisAt(busy.writes(), perMille)
                - Samples.millisAt(quiet.writes(), perMille);
    }
}
