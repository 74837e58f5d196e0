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
            "Tell why a table's tablets were split or merged, or left alone although they are"
                    + " large",
            "or hot: rule, figures and thresholds, keys, what was rejected, how long it took, and",
            "whether it helped. With a key, only of the tablets that had it."
        },
        sortOptions = false)
final class WhyCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "TABLE",
            description = "Its path; may leave out the database.")
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
