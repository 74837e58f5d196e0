package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Lists a table's tablets.
@Command(
        name = "tablets",
        description = {
            "List a table's tablets in the order of their keys: the range, from the first key to"
                    + " the",
            "one behind the last, the cell, rows and bytes (estimates), rows read and written in a",
            "second over the last minute, and how long it has been as it is."
        },
        sortOptions = false)
final class TabletsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "Its path; may leave out the database.")
    private String table = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("GET", "/tablets").with("table", table));
    }
}
