package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Asks a server to merge adjacent tablets.
@Command(
        name = "merge",
        description = {
            "Make one tablet of neighbours, in the cell of the largest; the others are moved there",
            "first. Nobody who uses the table notices."
        },
        sortOptions = false)
final class MergeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "Its path; may leave out the database.")
    private String table = "";

    @Option(
            names = "--tablets",
            paramLabel = "ID",
            arity = "1..*",
            required = true,
            description =
                    "The tablets; ID..ID stands for all from the one to the other;"
                            + " './cleave tablets' lists them.")
    private List<String> tablets = new ArrayList<>();

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        return operator.ask(
                new Operator.Request("POST", "/merge")
                        .with("table", table)
                        .with("tablets", String.join(",", tablets)));
    }
}
