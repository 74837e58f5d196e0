package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Shows which tablets would be split, merged, resharded or moved now.
@Command(
        name = "plan",
        description =
                "Show which tablets of a table would be split, merged, resharded or moved now,"
                        + " which would not, and why. Nothing is changed.",
        sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("GET", "/plan").with("table", table));
    }
}
