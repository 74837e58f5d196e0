package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// What a server leaves in its folder when it stops, and when it is killed, the next one finds.
class RestartTest {
    @TempDir private Path folder;

    @Test
    void everythingIsFoundAgain() {
        Path data = folder.resolve("data");
        try (var clients = new Clients(ServerProcess.start(data))) {
            clients.define(
                    "CREATE TABLE `a/t` (id Uint32, text Utf8, PRIMARY KEY (id))"
                            + " WITH (UNIFORM_PARTITIONS = 3)");
            clients.query("UPSERT INTO `a/t` (id, text) VALUES (1, 'one'u), (4000000000, 'two'u)");
            assertThat(clients.server().stop()).as("the exit code after SIGTERM").isZero();
        }
        try (var clients = new Clients(ServerProcess.start(data))) {
            assertThat(clients.rows("SELECT id, text FROM `a/t` ORDER BY id"))
                    .containsExactly("1, \"one\"", "4000000000, \"two\"");
            clients.query("DELETE FROM `a/t` WHERE id = 1");
            clients.define("ALTER TABLE `a/t` ADD COLUMN more Int32");
            clients.server().kill();
        }
        try (var clients = new Clients(ServerProcess.start(data))) {
            assertThat(clients.rows("SELECT id, text, more FROM `a/t`"))
                    .containsExactly("4000000000, \"two\", NULL");
            assertThat(
                            clients.rows(
                                    "SELECT COUNT(*) FROM `.sys/partition_stats`"
                                            + " WHERE Path = '/local/a/t'u"))
                    .containsExactly("3");
        }
    }
}
