package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A server on a folder: see [KillRounds].
class KillTest {
    private static final int KILL_COUNT = Integer.getInteger("kills", 12);

    @TempDir private Path folder;

    @Test
    void everyAcknowledgedWriteSurvivesAndNoTransactionIsThereInPart() throws IOException {
        Path data = folder.resolve("data");
        new KillRounds()
                .run(KILL_COUNT, () -> ServerProcess.start(data, ServerProcess.SMALL_CELLS));
        assertThat(tableFiles(data)).as("table files: the store must have flushed").isPositive();
    }

    private static long tableFiles(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("blob"))
                    .count();
        }
    }
}
