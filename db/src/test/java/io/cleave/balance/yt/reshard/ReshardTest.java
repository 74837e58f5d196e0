package io.cleave.balance.yt.reshard;

import static org.assertj.core.api.Assertions.fail;

import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

class ReshardTest {
    @TestFactory
    Stream<DynamicTest> decisions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/reshard"), ReshardTest::answer);
    }

    private static String answer(DataDriven.Command command) {
        var drawn = new DrawnReshard(command);
        return switch (command.name()) {
            case "bounds" -> SizeBounds.of(drawn.table(), drawn.options()).text();
            case "budget" -> budget(drawn);
            case "size" -> print(SizeReshard.plan(drawn.table(), drawn.options(), drawn.trigger()));
            case "metric" ->
                    print(
                            MetricReshard.plan(
                                    drawn.table(), !drawn.isOff("group"), drawn.trigger()));
            default -> fail("line %d: %s", command.line(), command.name());
        };
    }

    private static String budget(DrawnReshard drawn) {
        ReshardTable table = drawn.table();
        int[] budget =
                MergeBudget.spread(
                        table.sizes(),
                        SizeBounds.of(table, drawn.options()).min(),
                        table.settings().minTabletCount().getAsInt());
        var text = new StringBuilder();
        for (int each : budget) {
            text.append(text.isEmpty() ? "" : " ").append(each);
        }
        return text.toString();
    }

    private static String print(ReshardDecisions decisions) {
        var text = new StringBuilder();
        decisions.actions().forEach(action -> text.append(action.text()).append('\n'));
        decisions.left().forEach(left -> text.append(left.text()).append('\n'));
        return text.toString();
    }
}
