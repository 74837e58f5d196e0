package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Shows which tablets would be split or merged now.
@Command(
        name = "plan",
        description = {
            "Show what would be split or merged of a table right now, and which of its tablets are",
            "left alone and why. Nothing is done."
        },
        sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "Its path; may leave out the database.")
    private String table = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("GET", "/plan").with("table", table));
    }
}
