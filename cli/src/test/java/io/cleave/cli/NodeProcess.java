package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A server in a process of its own, as `./cleave start --storage` makes it, on free ports. What it
/// prints goes to a file.
final class NodeProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path output;
    private final String endpoint;

    private NodeProcess(Process process, Path output, String endpoint) {
        this.process = process;
        this.output = output;
        this.endpoint = endpoint;
    }

    /// Returns when it has said that it is ready.
    static NodeProcess start(Path output, String storage) throws Exception {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "start",
                        "--storage",
                        storage,
                        "--grpc-port",
                        "0",
                        "--http-port",
                        "0");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        // When the tests are broken off, too.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new NodeProcess(process, output, awaitReady(process, output));
    }

    private static String awaitReady(Process process, Path output) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Optional<String> ready =
                    Files.readAllLines(output).stream()
                            .filter(line -> line.startsWith("ready "))
                            .findFirst();
            if (ready.isPresent()) {
                return ready.get().split(" ")[1];
            }
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new AssertionError("no server; it printed: " + Files.readString(output));
            }
            Thread.sleep(20);
        }
    }

    /// `grpc://localhost:PORT/local`.
    String endpoint() {
        return endpoint;
    }

    /// Stands still, and its connections stay open.
    void suspend() throws Exception {
        signal("-STOP");
    }

    void resume() throws Exception {
        signal("-CONT");
    }

    private void signal(String which) throws Exception {
        var kill = new ProcessBuilder("kill", which, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /// Asks it to end, and returns its exit code.
    int stop() throws Exception {
        process.destroy();
        return awaitEnd();
    }

    /// Its exit code, when it has ended by itself.
    int awaitEnd() throws Exception {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("the server ends; it printed: %s", printed())
                .isTrue();
        return process.exitValue();
    }

    String printed() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
