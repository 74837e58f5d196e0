package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

/// `./cleave compact` against a server.
class CompactCommandTest {
    private static Node node;

    @BeforeAll
    static void start() throws StartException {
        node = Node.start(NodeOptions.inMemory());
        String endpoint = "grpc://localhost:" + node.grpcPort() + "/local";
        int made =
                Main.run(
                        "sql",
                        "--endpoint",
                        endpoint,
                        "-e",
                        """
                        CREATE TABLE `my/series` (id Uint64 NOT NULL, title Utf8, PRIMARY KEY (id));
                        UPSERT INTO `my/series` (id, title) VALUES (1, "IT Crowd"u);
                        """);
        assertThat(made).isZero();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void aTableIsCompactedUnderEitherName() {
        assertThat(compact("my/series")).isEqualTo(new Run(0, "ok\n", ""));
        assertThat(compact("/local/my/series")).isEqualTo(new Run(0, "ok\n", ""));
    }

    @Test
    void whatIsNotThereIsAnError() {
        Run run = compact("nothing here");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errors()).startsWith("error: SCHEME_ERROR").contains("nothing here");
    }

    private record Run(int exitCode, String output, String errors) {}

    private static Run compact(String table) {
        var output = new StringWriter();
        var errors = new StringWriter();
        int code =
                new CommandLine(new CompactCommand())
                        .setOut(new PrintWriter(output))
                        .setErr(new PrintWriter(errors))
                        .execute(table, "--http", "http://localhost:" + node.httpPort());
        return new Run(code, output.toString(), errors.toString());
    }
}
