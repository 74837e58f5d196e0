package io.cleave.balance.yt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellRemoval;
import io.cleave.balance.Decision;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class YtPolicyTest {
    @TestFactory
    Stream<DynamicTest> decisions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ytpolicy"), YtPolicyTest::answer);
    }

    /// `decide floor=5` sets the least desired size of the cluster, in MB; 0 if it is not given.
    /// `problems` asks what is an error of a bundle. `empty` asks the rule that empties cells,
    /// which is above the policies.
    private static String answer(DataDriven.Command command) {
        var drawn = new DrawnCluster();
        command.input().forEach(drawn::add);
        return switch (command.name()) {
            case "decide" -> print(drawn, policy(command.number("floor")));
            case "problems" -> problems(drawn, policy(0));
            case "empty" -> print(drawn, CellRemoval.decide(drawn.state()));
            default -> fail("line %d: %s", command.line(), command.name());
        };
    }

    private static String problems(DrawnCluster drawn, YtPolicy policy) {
        var text = new StringBuilder();
        policy.problems(drawn.state())
                .forEach(
                        (bundle, all) ->
                                all.forEach(each -> text.append(bundle + ": " + each + "\n")));
        return text.isEmpty() ? "nothing" : text.toString();
    }

    private static YtPolicy policy(long floorMegabytes) {
        var options = new ReshardOptions(floorMegabytes << 20, false, true);
        return new YtPolicy(options, new MetricExpressions());
    }

    private static String print(DrawnCluster drawn, YtPolicy policy) {
        return print(drawn, policy.decide(drawn.state(), drawn, BalanceSettings.DEFAULT));
    }

    private static String print(DrawnCluster drawn, Map<Long, List<Decision>> all) {
        assertThat(drawn.tableIds()).containsAll(all.keySet());
        var text = new StringBuilder();
        for (long tableId : drawn.tableIds()) {
            for (Decision decision : all.getOrDefault(tableId, List.of())) {
                text.append(
                        "%d %s: %s\n"
                                .formatted(
                                        tableId,
                                        decision.rule().text(),
                                        decision.text(DrawnCluster::text)));
            }
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }

    @Test
    void whatIsKeptOfSettingsNeverChangesAnAnswer() {
        YtPolicy kept = policy(0);
        List<List<String>> clusters =
                List.of(
                        List.of("table 1", "tablet 101 mb=30000"),
                        List.of("table 1 config={desired_tablet_count=7}", "tablet 101 mb=30000"),
                        List.of("table 1 config={desired_tablet_count=x}", "tablet 101 mb=30000"),
                        List.of("table 1 memory=compressed", "tablet 101 mb=30000 files=3000"),
                        List.of("table 1 memory=uncompressed", "tablet 101 mb=30000 files=3000"),
                        List.of(
                                "bundle default cells=1,2 config={max_tablet_size=40000000000}",
                                "tablet 101 mb=30000"),
                        List.of(
                                "bundle default cells=1,2 config={max_tablet_size=1}",
                                "tablet 101 mb=30000"),
                        List.of("table 2", "tablet 102 table=2 mb=30000"));
        for (int round = 0; round < 2; round++) {
            for (List<String> lines : clusters) {
                var drawn = new DrawnCluster();
                lines.forEach(drawn::add);
                assertThat(print(drawn, kept)).isEqualTo(print(drawn, policy(0)));
            }
        }
        assertThat(
                        clusters.stream()
                                .map(
                                        lines -> {
                                            var drawn = new DrawnCluster();
                                            lines.forEach(drawn::add);
                                            return print(drawn, kept);
                                        }))
                .doesNotHaveDuplicates();
    }
}
