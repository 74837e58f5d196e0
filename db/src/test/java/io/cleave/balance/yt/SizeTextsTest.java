package io.cleave.balance.yt;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision;
import io.cleave.balance.Rule;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The texts of [io.cleave.balance.yt.reshard.SizeReshard] through the whole policy: the settings
/// are stored as YSON, and the decisions have keys. A text that no policy can get is left: other
/// plans, tables that are not sorted, commands of users, and a minimum of tablets that is greater
/// than the desired number, which cannot be stored.
class SizeTextsTest {
    private static final long MEGABYTE = 1 << 20;

    @TestFactory
    Stream<DynamicTest> thePolicyDecidesAsTheRules() throws IOException {
        return DataDriven.check(Path.of("src/test/testdata/reshard"), SizeTextsTest::answer);
    }

    private static String answer(DataDriven.Command command) {
        Map<String, String> args = command.args();
        if (!command.name().equals("size")
                || args.containsKey("ordered")
                || args.containsKey("trigger")
                || minCount(args) > desiredCount(args)) {
            return command.expected();
        }
        long unit = Long.parseLong(args.getOrDefault("unit", "" + MEGABYTE));
        var drawn = new DrawnCluster();
        drawn.add("bundle default cells=%s config=%s".formatted(cells(args), bundle(args, unit)));
        drawn.add(
                "table 1 memory=%s config=%s"
                        .formatted(args.getOrDefault("memory", "none"), table(args, unit)));
        List<String> sizes = list(args.get("sizes"));
        List<String> files = list(args.getOrDefault("compressed", args.get("sizes")));
        for (int index = 0; index < sizes.size(); index++) {
            String[] words = sizes.get(index).split(":");
            drawn.add(
                    "tablet %d mb=%db files=%db rows=%s state=%s"
                            .formatted(
                                    index,
                                    Long.parseLong(words[0]) * unit,
                                    Long.parseLong(files.get(index).split(":")[0]) * unit,
                                    args.getOrDefault("partitions", "2"),
                                    words.length == 1 ? "mounted" : words[1]));
        }
        long floor = Long.parseLong(args.getOrDefault("cluster.min_desired_tablet_size", "0"));
        var policy =
                new YtPolicy(
                        new ReshardOptions(floor * unit, false, true), new MetricExpressions());
        var text = new StringBuilder();
        policy.decide(drawn.state(), drawn, BalanceSettings.DEFAULT)
                .getOrDefault(1L, List.of())
                .forEach(
                        decision -> {
                            if (decision.rule() == Rule.RESHARD_BY_SIZE) {
                                text.append(withoutKeys(decision)).append('\n');
                            }
                        });
        return text.toString();
    }

    private static int minCount(Map<String, String> args) {
        return Integer.parseInt(args.getOrDefault("table.min_tablet_count", "0"));
    }

    private static int desiredCount(Map<String, String> args) {
        return Integer.parseInt(args.getOrDefault("table.desired_tablet_count", "100000"));
    }

    private static String withoutKeys(Decision decision) {
        return decision.text(_ -> "k").replaceFirst(" at \\(k\\)(, \\(k\\))*", "");
    }

    private static String cells(Map<String, String> args) {
        int count = Integer.parseInt(args.getOrDefault("cells", "4"));
        return String.join(
                ",", Stream.iterate(1, id -> id + 1).limit(count).map(id -> "" + id).toList());
    }

    private static String bundle(Map<String, String> args, long unit) {
        String off =
                args.getOrDefault("off", "").equals("bundle")
                        ? "enable_tablet_size_balancer=%false;"
                        : "";
        String pick =
                args.containsKey("cluster.no_pivot_keys") ? "enable_pick_pivot_keys=%false;" : "";
        return "{" + off + pick + settings("bundle.", args, unit) + "}";
    }

    private static String table(Map<String, String> args, long unit) {
        String off =
                args.getOrDefault("off", "").equals("table") ? "enable_auto_reshard=%false;" : "";
        return "{" + off + settings("table.", args, unit) + "}";
    }

    /// Sizes are in units.
    private static String settings(String prefix, Map<String, String> args, long unit) {
        var text = new StringBuilder();
        args.forEach(
                (name, value) -> {
                    if (name.startsWith(prefix)) {
                        long number = Long.parseLong(value) * (name.endsWith("_size") ? unit : 1);
                        text.append(name.substring(prefix.length()))
                                .append('=')
                                .append(number)
                                .append(';');
                    }
                });
        return text.toString();
    }

    /// A list with its repetitions written out: `2x5,7` is 5, 5, 7.
    private static List<String> list(String text) {
        return Stream.of(text.split(","))
                .flatMap(
                        word -> {
                            String[] parts = word.split("x");
                            int times = parts.length == 1 ? 1 : Integer.parseInt(parts[0]);
                            return Stream.generate(() -> parts[parts.length - 1]).limit(times);
                        })
                .toList();
    }
}
