package io.cleave.bench;

import io.cleave.bench.abuse.AbuseBenchmark;
import io.cleave.bench.balance.BalanceBenchmark;
import io.cleave.bench.query.BuildsBenchmark;
import io.cleave.bench.query.QueryBenchmark;
import io.cleave.bench.storage.StorageBenchmark;
import io.cleave.bench.yt.YtBenchmark;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The program behind `./cleave bench`. Exit codes: 0 if every bar was met, 1 if one was missed or
/// the run failed, 2 if the arguments are wrong.
@Command(
        name = "cleave bench",
        description = "Benchmarks; each prints one line a figure.",
        synopsisSubcommandLabel = "BENCHMARK",
        mixinStandardHelpOptions = true,
        subcommands = {
            AbuseBenchmark.class,
            BalanceBenchmark.class,
            BookKeeperBenchmark.class,
            BuildsBenchmark.class,
            ClientsBenchmark.class,
            PartitioningBenchmark.class,
            QueryBenchmark.class,
            StorageBenchmark.class,
            TabletsBenchmark.class,
            YtBenchmark.class
        })
public final class Main {
    /// Referenced here, because the JVM forgets the level of a logger that is garbage-collected.
    private static final List<Logger> SILENT =
            List.of(Logger.getLogger("io.grpc"), Logger.getLogger("tech.ydb"));

    private Main() {}

    public static void main(String[] args) {
        SILENT.forEach(logger -> logger.setLevel(Level.OFF));
        var commandLine = new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
        if (args.length == 0) {
            commandLine.usage(System.out);
            System.exit(ExitCode.OK);
        }
        System.exit(commandLine.execute(args));
    }
}
