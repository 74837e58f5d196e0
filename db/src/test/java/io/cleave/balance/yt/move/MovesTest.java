package io.cleave.balance.yt.move;

import static org.assertj.core.api.Assertions.fail;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class MovesTest {
    @TestFactory
    Stream<DynamicTest> decisions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/cellmoves"), MovesTest::answer);
    }

    private static String answer(DataDriven.Command command) {
        var drawn = new DrawnBundle(command);
        BundleLoad load = drawn.load();
        MovePlan plan =
                switch (command.name()) {
                    case "in-memory" -> InMemoryMoves.round(load, drawn.bundle());
                    case "in-memory-command" ->
                            InMemoryMoves.command(load, drawn.bundle(), tables(command));
                    case "ordinary" ->
                            OrdinaryMoves.round(load, drawn.bundle(), command.number("seed"));
                    case "metric" ->
                            MetricMoves.plan(
                                    load,
                                    BundleSettings.DEFAULT_GROUP,
                                    drawn.group(),
                                    drawn.options());
                    default -> fail("line %d: %s", command.line(), command.name());
                };
        var text = new StringBuilder();
        plan.moves().forEach(move -> text.append(move.text()).append('\n'));
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            plan.stayText(tablet).ifPresent(stay -> text.append(stay).append('\n'));
        }
        return text.toString();
    }

    private static Set<Long> tables(DataDriven.Command command) {
        String tables = command.args().getOrDefault("tables", "");
        return Arrays.stream(tables.split(","))
                .filter(id -> !id.isEmpty())
                .map(Long::valueOf)
                .collect(Collectors.toSet());
    }
}
