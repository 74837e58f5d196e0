package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Asks a server to rewrite a table's files, and waits for it.
@Command(
        name = "compact",
        description = {
            "Rewrite a table's files, so that its current settings apply to all rows",
            "and the space of erased rows is freed. Reads and writes continue during this time."
        },
        sortOptions = false)
final class CompactCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("POST", "/compact").with("table", table));
    }
}
