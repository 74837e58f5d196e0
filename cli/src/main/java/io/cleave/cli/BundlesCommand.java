package io.cleave.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Lists bundles, or gives one its cells.
@Command(
        name = "bundles",
        description = {
            "List bundles, the named groups of cells that tables lie in, or give one its cells.",
            "A table chooses its bundle by the attribute tablet_cell_bundle; cells that were given",
            "to no bundle are in 'default'."
        },
        sortOptions = false)
final class BundlesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "The bundle that gets the cells of --cells; without any it is gone.")
    private @Nullable String name;

    @Option(names = "--cells", paramLabel = "CELL", arity = "1..*", description = "Its cells.")
    private List<Long> cells = new ArrayList<>();

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        if (name == null) {
            return operator.ask(new Operator.Request("GET", "/bundles"));
        }
        var request = new Operator.Request("POST", "/bundles").with("name", name);
        if (!cells.isEmpty()) {
            request.with("cells", String.join(",", cells.stream().map(String::valueOf).toList()));
        }
        return operator.ask(request);
    }
}
