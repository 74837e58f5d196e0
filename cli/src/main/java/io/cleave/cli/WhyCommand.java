package io.cleave.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.Optional;
import java.util.concurrent.Callable;

/// Shows why tablets were split, merged or left alone.
@Command(
        name = "why",
        description = {
            "Show why a table's tablets were split or merged, or were not although they are large"
                    + " or",
            "hot: the rule, figures and thresholds, keys, what was rejected, how long it took, and",
            "whether it helped. With a key, only the tablets that contained it are shown."
        },
        sortOptions = false)
final class WhyCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private String table = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "KEY",
            description = "Values of the key columns, or of the first few: 5 or 'abc',5.")
    private Optional<String> key = Optional.empty();

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        var request = new Operator.Request("GET", "/why").with("table", table);
        return operator.ask(key.map(text -> request.with("key", text)).orElse(request));
    }
}
