package io.cleave.clients;

import static org.junit.jupiter.api.Assertions.fail;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// What YTsaurus' own tests of its balancer and of tablet actions expect, with YTsaurus' own client
/// against a server with three cells in another process: the cases in testdata/ytbalancer, as in
/// [YtClientTest]. In a Python program, `wait(condition)` waits until the condition holds.
class YtBalancerTest {
    private static final Path CASES = Path.of("src/test/testdata/ytbalancer");

    @TempDir Path folder;

    @TestFactory
    Stream<DynamicTest> outcomesAreThoseOfYTsaurus() throws IOException, InterruptedException {
        Optional<String> missing = YtPython.install();
        if (missing.isPresent()) {
            if (System.getProperty("yt.required") != null) {
                fail(missing.get());
            }
            System.out.println("tests with YTsaurus' client are skipped: " + missing.get());
            Assumptions.abort(missing.get());
        }
        try (Stream<Path> files = Files.list(CASES)) {
            return files.sorted().toList().stream()
                    .map(
                            file ->
                                    DynamicTest.dynamicTest(
                                            file.getFileName().toString(),
                                            file.toUri(),
                                            () -> run(file)));
        }
    }

    private void run(Path file) throws IOException {
        Path data = Files.createTempDirectory(folder, "server").resolve("data");
        try (var setup =
                new YtClientTest.Setup(
                        data,
                        ServerProcess.YT,
                        ServerProcess.BALANCED,
                        ServerProcess.THREE_CELLS)) {
            DataDriven.runFile(file, setup::run);
        }
    }
}
