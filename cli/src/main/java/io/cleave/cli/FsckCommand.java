package io.cleave.cli;

import io.cleave.node.Fsck;
import io.cleave.node.FsckReport;
import io.cleave.node.StartException;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/// Checks a data folder. Exit codes: 0 clean, 1 damaged, 2 could not be checked.
@Command(
        name = "fsck",
        description = "Check a data folder that no server is using. Nothing is changed.",
        sortOptions = false)
final class FsckCommand implements Callable<Integer> {
    @Option(
            names = StartArguments.DATA,
            paramLabel = "DIR",
            defaultValue = StartArguments.DEFAULT_DATA,
            description = "The folder to check. Default: ./${DEFAULT-VALUE}.")
    private Path data = Path.of(StartArguments.DEFAULT_DATA);

    @Option(
            names = StartArguments.MEDIUM,
            paramLabel = "NAME=DIR",
            description = "The folder of a medium, if it was moved since the last start.")
    private Map<String, Path> media = new HashMap<>();

    @Override
    public Integer call() {
        try {
            FsckReport report = Fsck.run(data, media);
            System.out.print(report.text());
            System.out.flush();
            return report.isClean() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (StartException e) {
            System.err.println("cleave: " + e.getMessage());
            return ExitCode.USAGE;
        }
    }
}
