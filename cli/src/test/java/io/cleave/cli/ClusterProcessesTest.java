package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `./cleave cluster` with real processes: the commands of the README, in order.
class ClusterProcessesTest {
    private static final String CREATE =
            "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))";
    private static final String SELECT = "SELECT * FROM t ORDER BY k";

    @TempDir static Path folder;

    @Test
    void aBookieIsKilledAndStartedAgainAndWhatWasWrittenIsThere() {
        // When the tests are broken off, too.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> cluster("down")));
        try {
            String up = done(cluster("up", "--nodes", "3", "--grpc-port", "0", "--http-port", "0"));
            assertThat(up).contains("ready after").containsPattern("storage +bookkeeper://");
            String endpoint = wordAfter("endpoint", up);
            assertThat(sql(endpoint, CREATE)).isEqualTo("ok\n");

            assertThat(done(cluster("kill", "bookie", "2"))).isEqualTo("bookie 2 was killed\n");
            assertThat(done(cluster("kill", "bookie", "2")))
                    .isEqualTo("bookie 2 was not running\n");
            assertThat(done(cluster("status"))).containsPattern("bookie +2 .* down");
            String written =
                    sql(
                            endpoint,
                            "UPSERT INTO t (k, v) VALUES (1, \"two copies are enough\"u);"
                                    + SELECT);
            assertThat(written).contains("1 | two copies are enough");

            assertThat(done(cluster("start", "bookie", "2"))).isEqualTo("bookie 2 is running\n");
            assertThat(done(cluster("status"))).doesNotContain(" down");

            // The server, too; the port is the one that it had.
            done(cluster("kill", "node"));
            done(cluster("start", "node"));
            assertThat(sql(endpoint, SELECT)).contains("1 | two copies are enough");

            done(cluster("down"));
            assertThat(done(cluster("status")).lines().filter(line -> line.endsWith(" down")))
                    .as("a ZooKeeper, three bookies and a server")
                    .hasSize(5);
            done(cluster("up"));
            assertThat(sql(endpoint, SELECT)).contains("1 | two copies are enough");
        } finally {
            done(cluster("down"));
        }
    }

    private static CommandRun cluster(String... args) {
        List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(args));
        all.addAll(List.of("--data", folder.toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static String done(CommandRun run) {
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run.output();
    }

    private static String sql(String endpoint, String text) {
        return done(CommandRun.of("sql", "--endpoint", endpoint, "-e", text));
    }

    private static String wordAfter(String name, String text) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.split(" +")[1])
                .findFirst()
                .orElseThrow();
    }
}
