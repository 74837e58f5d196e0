package io.cleave.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Asks a server to split tablets, and lists the new ones.
@Command(
        name = "split",
        description = {
            "Split tablets of a table at keys, or split one tablet in halves: by default the"
                    + " largest one.",
            "Nothing is copied, and clients do not notice the split."
        },
        sortOptions = false)
final class SplitCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Option(
            names = "--at",
            paramLabel = "KEY",
            description =
                    "Where to split: values of the key columns, separated by commas, strings in"
                            + " quotes, as in --at 1000 or --at \"'abc',5\"; may be repeated.")
    private List<String> keys = new ArrayList<>();

    @Option(
            names = "--tablet",
            paramLabel = "ID",
            description = "The tablet to split in halves; './cleave tablets' lists them.")
    private @Nullable Long tablet;

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        var request = new Operator.Request("POST", "/split").with("table", table);
        keys.forEach(key -> request.with("at", key));
        if (tablet != null) {
            request.with("tablet", tablet);
        }
        return operator.ask(request);
    }
}
