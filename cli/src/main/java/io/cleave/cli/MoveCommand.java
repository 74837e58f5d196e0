package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/// Asks a server to move a tablet to another cell.
@Command(
        name = "move",
        description = {
            "Move a tablet to another cell. Writes to it wait for a moment; reads do not."
        },
        sortOptions = false)
final class MoveCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Option(
            names = "--tablet",
            paramLabel = "ID",
            required = true,
            description = "The tablet; './cleave tablets' lists them.")
    private long tablet;

    @Option(
            names = "--to",
            paramLabel = "CELL",
            required = true,
            description = "The target cell, one of the table's bundle.")
    private long cell;

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(
                new Operator.Request("POST", "/move")
                        .with("table", table)
                        .with("tablet", tablet)
                        .with("to", cell));
    }
}
