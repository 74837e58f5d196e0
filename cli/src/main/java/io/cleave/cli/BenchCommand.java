package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Unmatched;

import java.util.List;

/// Is here so that `help` lists it: `./cleave` runs the benchmarks from their own jar.
@Command(name = "bench", description = "Run a benchmark; without a name, list them.")
final class BenchCommand implements Runnable, picocli.CommandLine.IExitCodeGenerator {
    @Unmatched private List<String> arguments = List.of();

    @Override
    public void run() {
        System.err.println("cleave bench: run it through ./cleave " + String.join(" ", arguments));
    }

    @Override
    public int getExitCode() {
        return ExitCode.USAGE;
    }
}
