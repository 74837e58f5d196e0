package io.cleave.cli;

import io.cleave.cli.Main.UsageException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/// Shows what balancers would do with a table, or YTsaurus' rules with a bundle.
@Command(
        name = "plan",
        description = {
            "Show which tablets of a table would be split, merged, resharded or moved now, which"
                    + " would not, and why. Nothing is changed.",
            "With --bundle: show what YTsaurus' rules would do with all tables of a bundle, round"
                    + " after round, and the sizes and the balance that come of it; with other"
                    + " settings, at another time, with more or fewer cells."
        },
        sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "TABLE",
            description = "The table's path; the database may be omitted.")
    private Optional<String> table = Optional.empty();

    @Option(names = "--bundle", paramLabel = "NAME", description = "Plan for this bundle.")
    private Optional<String> bundle = Optional.empty();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description =
                    "Only groups whose schedules are true then have a round: 02:30 or"
                        + " 2026-11-20T02:30, in the time zone of the server. Default: every group"
                        + " has one.")
    private Optional<String> at = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "[TABLE:]KEY=VALUE",
            description =
                    "Suppose that an option of the bundle, or of the table, had this value in YSON:"
                        + " max_tablet_size=1000000000, groups/fast/schedule='minutes == 0',"
                        + " /local/t:desired_tablet_count=8. Without a value, it has its default."
                        + " May be given many times.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--cells",
            paramLabel = "N",
            description = "Suppose that the bundle had so many cells.")
    private Optional<Integer> cells = Optional.empty();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "How many rounds follow one after the other, at most. Default: until there is"
                            + " nothing to do, at most 20.")
    private Optional<Integer> rounds = Optional.empty();

    @Mixin private Operator operator = new Operator();

    @Override
    public Integer call() throws InterruptedException {
        if (table.isPresent() == bundle.isPresent()) {
            throw new UsageException("give either a table, or --bundle with a bundle");
        }
        var request = new Operator.Request("GET", "/plan");
        if (table.isPresent()) {
            if (at.isPresent() || !settings.isEmpty() || cells.isPresent() || rounds.isPresent()) {
                throw new UsageException("--at, --set, --cells and --rounds need --bundle");
            }
            return operator.ask(request.with("table", table.get()));
        }
        request = request.with("bundle", bundle.get());
        if (at.isPresent()) {
            request = request.with("at", at.get());
        }
        for (String setting : settings) {
            request = request.with("set", setting);
        }
        if (cells.isPresent()) {
            request = request.with("cells", cells.get());
        }
        if (rounds.isPresent()) {
            request = request.with("rounds", rounds.get());
        }
        return operator.ask(request);
    }
}
