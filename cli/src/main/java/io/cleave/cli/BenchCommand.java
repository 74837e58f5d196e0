package io.cleave.cli;

import io.cleave.cli.Main.UsageException;

import picocli.CommandLine.Command;

/// Exists so that `help` lists it: `./cleave` runs the benchmarks from their own jar.
@Command(name = "bench", description = "Run a benchmark. Without a name, list all benchmarks.")
final class BenchCommand implements Runnable {
    @Override
    public void run() {
        throw new UsageException("the benchmarks are in a separate jar; run ./cleave bench");
    }
}
