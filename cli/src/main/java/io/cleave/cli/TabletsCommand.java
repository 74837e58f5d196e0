package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Lists a table's tablets.
@Command(
        name = "tablets",
        description = {
            "List a table's tablets in key order: the range (from its first key up to, but"
                    + " without,",
            "its end), the cell, rows and bytes (estimates), rows read and written per second over",
            "the last minute, and the time since the tablet was last changed."
        },
        sortOptions = false)
final class TabletsCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("GET", "/tablets").with("table", table));
    }
}
