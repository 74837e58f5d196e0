package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// `./cleave tablets`, `split`, `merge`, `move`, `why`, `bundles` and `schedule` against a server
/// of two cells.
class TabletCommandsTest {
    private Node node;

    @BeforeEach
    void start() throws StartException {
        node = Node.start(NodeOptions.inMemory().withUserCells(2).withTimeZone("Asia/Kathmandu"));
        String endpoint = "grpc://localhost:" + node.grpcPort() + "/local";
        String table = "CREATE TABLE t (a Utf8 NOT NULL, b Int32, PRIMARY KEY (a, b));";
        assertThat(Main.run("sql", "--endpoint", endpoint, "-e", table)).isZero();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void tabletsAreCutMovedAndMerged() {
        assertThat(run(new TabletsCommand(), "t").output()).startsWith("tablet  cell  epoch  from");
        assertThat(ranges(run(new SplitCommand(), "t", "--at", "'m',5", "--at", "\"x'y\"")))
                .containsExactly("1 2 - 'm',5", "1 2 'm',5 'x\\'y'", "1 2 'x\\'y' -");
        List<String> ids = ids(run(new TabletsCommand(), "/local/t"));
        assertThat(ranges(run(new MoveCommand(), "t", "--tablet", ids.get(2), "--to", "2")))
                .containsExactly("2 3 'x\\'y' -");
        assertThat(ranges(run(new MergeCommand(), "t", "--tablets", ids.get(0), ids.get(1))))
                .containsExactly("1 3 - 'x\\'y'");
        ids = ids(run(new TabletsCommand(), "t"));
        String all = ids.getFirst() + ".." + ids.getLast();
        assertThat(ranges(run(new MergeCommand(), "t", "--tablets", ids.getFirst(), all)))
                .hasSize(1);
        assertThat(ranges(run(new TabletsCommand(), "t"))).hasSize(1);
    }

    @Test
    void bundlesAreMadeOfCells() {
        assertThat(run(new BundlesCommand()).output()).isEqualTo("default  cells 1, 2\n");
        assertThat(run(new BundlesCommand(), "fast", "--cells", "2").output())
                .isEqualTo("default  cells 1\nfast  cells 2\n");
        assertThat(run(new BundlesCommand(), "fast").output()).isEqualTo("fast  cells 2\n");
        assertThat(run(new BundlesCommand(), "fast", "--remove").output())
                .isEqualTo("default  cells 1, 2\n");
        assertRefused(run(new BundlesCommand(), "fast"), "no bundle 'fast'", "default");
        assertThat(run(new BundlesCommand(), "fast", "--cells", "1", "2").errors())
                .contains(
                        "the bundle 'default' must have at least one cell, because /local/t uses"
                                + " it");
    }

    @Test
    void schedulesAreShownInTheTimeZoneOfTheServer() {
        assertThat(run(new ScheduleCommand(), "default").output())
                .startsWith("bundle default, from ")
                .contains(", time zone Asia/Kathmandu\n")
                .contains("groups default, legacy, legacy_in_memory: minutes % 5 == 0");
        assertRefused(run(new ScheduleCommand(), "none"), "no bundle 'none'", "default");
    }

    @Test
    void theBundleIsPlannedWithOtherSettings() {
        String endpoint = "grpc://localhost:" + node.grpcPort() + "/local";
        String fill = "UPSERT INTO t (a, b) VALUES ('a', 1), ('b', 2);";
        String toYt = "ALTER TABLE t SET (BALANCER = yt);";
        assertThat(Main.run("sql", "--endpoint", endpoint, "-e", fill)).isZero();
        assertThat(Main.run("sql", "--endpoint", endpoint, "-e", toYt)).isZero();
        Run plan =
                run(
                        new PlanCommand(),
                        "--bundle",
                        "default",
                        "--at",
                        "02:30",
                        "--set",
                        "enable_cell_balancer=%true",
                        "--set",
                        "t:min_tablet_count=2",
                        "--cells",
                        "3",
                        "--rounds",
                        "5");
        assertThat(plan.errors()).isEmpty();
        assertThat(plan.output())
                .startsWith("bundle default: a round at ")
                .contains(", time zone Asia/Kathmandu\n")
                .contains("supposed: enable_cell_balancer = %true\n")
                .contains("supposed: /local/t:min_tablet_count = 2\n")
                .contains("\n3            none -> 0");
        assertRefused(run(new PlanCommand(), "--bundle", "none"), "no bundle 'none'", "default");
        assertRefused(
                run(new PlanCommand(), "--bundle", "default", "--at", "soon"),
                "'soon' is not a time",
                "give 02:30");
        assertRefused(
                run(new PlanCommand(), "--bundle", "default", "--set", "u:min_tablet_count=2"),
                "SCHEME_ERROR",
                "/local/u");
        assertThat(run(new PlanCommand(), "t").output()).isNotEmpty();
        assertThat(run(new WhyCommand(), "t", "a").output())
                .contains("\nnow:\n    it is in group 'legacy', whose schedule is minutes % 5 == 0")
                .contains("too small, but it is the only tablet of its table\n");
        assertThat(run(new ScheduleCommand(), "default").output())
                .endsWith("a round would now change nothing\n");
        assertThat(run(new PlanCommand()).errors()).contains("either a table, or --bundle");
        assertThat(run(new PlanCommand(), "t", "--cells", "3").errors()).contains("need --bundle");
    }

    @Test
    void anAnswerSaysSinceWhenDecisionsAreKnown() {
        assertThat(run(new WhyCommand(), "t").output())
                .matches(
                        "no decision about it is known\n"
                                + "every split, merge and move since [-0-9T:]+Z is known\n");
    }

    @Test
    void everyScrapeCountsAnew() throws Exception {
        assertThat(metrics()).contains("cleave_tablets 1.0");
        run(new SplitCommand(), "t", "--at", "m");
        assertThat(metrics()).contains("cleave_tablets 2.0", "cleave_row_updates_total 0.0");
    }

    private String metrics() throws Exception {
        var address = URI.create("http://localhost:" + node.httpPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void whatCannotBeDoneIsSaidWithWhatToDo() {
        assertRefused(run(new SplitCommand(), "t"), "too few rows", "give the key to split it");
        assertThat(run(new SplitCommand(), "t", "--at", "m").exitCode()).isZero();
        assertRefused(run(new SplitCommand(), "t", "--at", "m"), "begins at", "choose another");
        assertRefused(
                run(new SplitCommand(), "t", "--at", "'m',x"),
                "'x' is not a valid Int32 for column b",
                "(a Utf8, b Int32)");
        assertRefused(
                run(new MoveCommand(), "t", "--tablet", "7", "--to", "2"),
                "has no tablet 7",
                "'./cleave tablets' lists them");
        assertRefused(run(new TabletsCommand(), "none"), "SCHEME_ERROR", "/local/none");
    }

    private static void assertRefused(Run run, String what, String remedy) {
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errors()).startsWith("error: ").contains(what).contains(remedy);
    }

    private record Run(int exitCode, String output, String errors) {}

    private Run run(Object command, String... args) {
        var output = new StringWriter();
        var errors = new StringWriter();
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.add("--http");
        all.add("http://localhost:" + node.httpPort() + "/");
        int code =
                new CommandLine(command)
                        .setOut(new PrintWriter(output))
                        .setErr(new PrintWriter(errors))
                        .execute(all.toArray(String[]::new));
        return new Run(code, output.toString(), errors.toString());
    }

    private static List<String> ids(Run run) {
        return run.output().lines().skip(1).map(line -> line.strip().split(" +")[0]).toList();
    }

    /// The cell, the epoch and the range of each.
    private static List<String> ranges(Run run) {
        assertThat(run.errors()).isEmpty();
        return run.output()
                .lines()
                .skip(1)
                .map(line -> line.strip().split(" +"))
                .map(words -> String.join(" ", Arrays.copyOfRange(words, 1, 5)))
                .toList();
    }
}
