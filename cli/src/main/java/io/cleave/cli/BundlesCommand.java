package io.cleave.cli;

import io.cleave.cli.Main.UsageException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Lists bundles, shows one, sets its cells or removes it.
@Command(
        name = "bundles",
        description = {
            "List bundles, which are named groups of cells. Show one bundle, set its cells, or",
            "remove it.",
            "A table names its bundle in the attribute tablet_cell_bundle. Cells without a bundle",
            "belong to 'default'."
        },
        sortOptions = false)
final class BundlesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "The bundle; without it, all bundles are listed.")
    private @Nullable String name;

    @Option(
            names = "--cells",
            paramLabel = "CELL",
            arity = "1..*",
            description = "The new cells of the bundle.")
    private List<Long> cells = new ArrayList<>();

    @Option(names = "--remove", description = "Remove the bundle; its cells go to 'default'.")
    private boolean remove;

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        boolean changes = remove || !cells.isEmpty();
        if (changes && name == null) {
            throw new UsageException("name the bundle: ./cleave bundles NAME …");
        }
        if (remove && !cells.isEmpty()) {
            throw new UsageException("give --cells or --remove, not both");
        }
        var request = new Operator.Request(changes ? "POST" : "GET", "/bundles");
        if (name != null) {
            request.with("name", name);
        }
        if (remove) {
            request.with("remove", true);
        } else if (changes) {
            request.with("cells", String.join(",", cells.stream().map(String::valueOf).toList()));
        }
        return operator.ask(request);
    }
}
