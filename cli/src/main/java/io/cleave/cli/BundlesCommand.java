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
            "List bundles, the named groups of cells that tables lie in; show one, give it its",
            "cells, or remove it.",
            "A table chooses its bundle by the attribute tablet_cell_bundle; cells that were given",
            "to no bundle are in 'default'."
        },
        sortOptions = false)
final class BundlesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "The bundle that is meant; without it all are listed.")
    private @Nullable String name;

    @Option(
            names = "--cells",
            paramLabel = "CELL",
            arity = "1..*",
            description = "The cells that it is to have.")
    private List<Long> cells = new ArrayList<>();

    @Option(names = "--remove", description = "Remove it; its cells go to 'default'.")
    private boolean remove;

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        boolean changes = remove || !cells.isEmpty();
        if (changes && name == null) {
            throw new UsageException("say which bundle: ./cleave bundles NAME …");
        }
        if (remove && !cells.isEmpty()) {
            throw new UsageException("a bundle gets --cells, or is removed: not both");
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
