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
            "Cut tablets of a table at keys, or one of them in halves: by itself the largest.",
            "Nothing is copied, and nobody who uses the table notices."
        },
        sortOptions = false)
final class SplitCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "Its path; may leave out the database.")
    private String table = "";

    @Option(
            names = "--at",
            paramLabel = "KEY",
            description =
                    "Where to cut: values for the key columns with commas between, texts in quotes,"
                            + " as in --at 1000 or --at \"'abc',5\"; may be repeated.")
    private List<String> keys = new ArrayList<>();

    @Option(
            names = "--tablet",
            paramLabel = "ID",
            description = "The tablet to cut in halves; './cleave tablets' lists them.")
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
