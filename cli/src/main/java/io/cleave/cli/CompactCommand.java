package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Asks a server to rewrite a table's files, and waits for it.
@Command(
        name = "compact",
        description = {
            "Rewrite a table's files, so that its present settings hold for all rows",
            "and what was erased takes no room any more. Reads and writes go on meanwhile."
        },
        sortOptions = false)
final class CompactCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "Its path; may leave out the database.")
    private String table = "";

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(new Operator.Request("POST", "/compact").with("table", table));
    }
}
