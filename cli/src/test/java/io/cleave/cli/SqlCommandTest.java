package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// `./cleave sql` against a server.
class SqlCommandTest {
    private static Node node;

    @BeforeAll
    static void start() throws StartException {
        node = Node.start(NodeOptions.inMemory());
        CommandRun made =
                sql(
                        "-e",
                        """
                        CREATE TABLE series (series_id Uint64 NOT NULL, title Utf8, PRIMARY KEY (series_id));
                        UPSERT INTO series (series_id, title) VALUES (1, "IT Crowd"u), (20, NULL);
                        """);
        assertThat(made).isEqualTo(new CommandRun(0, "ok\nok\n", ""));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void rowsAreATable() {
        assertThat(sql("-e", "SELECT * FROM series ORDER BY series_id"))
                .isEqualTo(
                        new CommandRun(
                                0,
                                """
                                 series_id | title
                                -----------+----------
                                         1 | IT Crowd
                                        20 | NULL
                                (2 rows)
                                """,
                                ""));
    }

    @Test
    void aFailureShowsItsPlaceAndEndsWithOne(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("two.yql");
        Files.writeString(file, "SELECT 1 AS one;\nSELECT rating\nFROM series; SELECT 2;");

        CommandRun run = sql(file.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errors())
                .contains("at line 2, column 8: ")
                .endsWith("\n  SELECT rating\n         ^\n");
    }

    @Test
    void aTypeThatTheClientDoesNotKnowIsOneLine() {
        CommandRun run = sql("-e", "SELECT DyNumber('1.5')");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errors())
                .isEqualTo("error: the result cannot be read: unknown PrimitiveType: DyNumber\n");
    }

    @Test
    void aBatchAndACommitAreRunAsWritten() {
        CommandRun run =
                sql(
                        "-e",
                        """
                        --!ansi_lexer
                        UPSERT INTO series (series_id, title) VALUES (30, 'it''s'u);
                        COMMIT;
                        BATCH UPDATE series SET title = 'batch'u WHERE series_id = 30;
                        SELECT title AS "the title" FROM series WHERE series_id = 30;
                        DELETE FROM series WHERE series_id = 30;
                        COMMIT;
                        """);

        assertThat(run.errors()).isEmpty();
        assertThat(run.output()).contains("the title").contains("batch");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void explainIsReadable() {
        CommandRun run = sql("-e", "EXPLAIN SELECT title FROM series WHERE series_id = 1");

        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .contains("/local/series")
                .contains("tablets: 1 of 1")
                .doesNotContain("\\n");
    }

    @Test
    void aServerThatIsNotThereIsOneLine() {
        CommandRun run = run("sql", "--endpoint", "grpc://localhost:1/local", "-e", "SELECT 1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errors())
                .isEqualTo(
                        "cleave: no server answers at grpc://localhost:1/local;"
                                + " start one with ./cleave start\n");
    }

    @Test
    void aDatabaseThatIsNotThereIsOneLine() {
        String elsewhere = "grpc://localhost:" + node.grpcPort() + "/elsewhere";

        CommandRun run = run("sql", "--endpoint", elsewhere, "-e", "SELECT 1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errors()).contains("/elsewhere").hasLineCount(1);
    }

    @Test
    void wrongArgumentsEndWithTwo() {
        assertThat(run("sql", "--endpoint", "nowhere").exitCode()).isEqualTo(2);
        assertThat(run("sql", "-e", "SELECT 1", "file").exitCode()).isEqualTo(2);
        assertThat(run("sql", "no-such-file").exitCode()).isEqualTo(2);
        assertThat(run("sql", "--bogus").exitCode()).isEqualTo(2);
        assertThat(run("start", "--grpc-port", "x").exitCode()).isEqualTo(2);
    }

    private static CommandRun sql(String... args) {
        String endpoint = "grpc://localhost:" + node.grpcPort() + node.database();
        String[] all = new String[args.length + 3];
        all[0] = "sql";
        all[1] = "--endpoint";
        all[2] = endpoint;
        System.arraycopy(args, 0, all, 3, args.length);
        return run(all);
    }

    private static CommandRun run(String... args) {
        return CommandRun.of(args);
    }
}
