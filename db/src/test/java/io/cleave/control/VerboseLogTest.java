package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Due;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.DrawnCluster;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The reasons of rounds, as they are logged for tables with verbose logging.
class VerboseLogTest {
    @TestFactory
    Stream<DynamicTest> lines() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ytverbose"), VerboseLogTest::answer);
    }

    /// `round kind=reshard` or `round kind=move`, with lines of a [DrawnCluster].
    private static String answer(DataDriven.Command command) {
        var drawn = new DrawnCluster();
        command.input().forEach(drawn::add);
        ClusterState all = drawn.state();
        Due.Kind kind =
                command.args().get("kind").equals("move") ? Due.Kind.MOVE : Due.Kind.RESHARD;
        Set<Due> due = new HashSet<>();
        for (String group : List.of("legacy", "legacy_in_memory", "default")) {
            due.add(new Due("default", group, kind));
        }
        Map<Long, List<Decision>> decisions =
                new YtPolicy(new ReshardOptions(0, false, true), new MetricExpressions())
                        .decide(all.withDue(due), drawn, BalanceSettings.DEFAULT);
        var text = new StringBuilder();
        for (TableState table : all.tables()) {
            for (Decision decision : decisions.getOrDefault(table.table().id(), List.of())) {
                if (decision instanceof Leave leave) {
                    String path = "//" + table.table().name();
                    text.append(VerboseLog.line(path, table.bundle(), leave)).append('\n');
                }
            }
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }
}
