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
            "Merge neighbouring tablets into one, in the cell of the largest. The others are moved",
            "there first. Clients do not notice the merge."
        },
        sortOptions = false)
final class MergeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Option(
            names = "--tablets",
            paramLabel = "ID",
            arity = "1..*",
            required = true,
            description =
                    "The tablets; ID..ID means all tablets from the first to the last;"
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
