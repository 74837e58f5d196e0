package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Shows when the tables of a bundle are balanced next.
@Command(
        name = "schedule",
        description =
                "Show at which minutes of the next 24 hours the schedules of a bundle and its"
                        + " groups let YTsaurus' rules balance the bundle's tables, or why they do"
                        + " not, and what a round of each group would do now.",
        sortOptions = false)
final class ScheduleCommand implements Callable<Integer> {
    @Parameters(paramLabel = "BUNDLE", description = "The name of the bundle.")
    private String bundle = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("GET", "/schedule").with("bundle", bundle));
    }
}
