package io.cleave.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A server in a process of its own, on free ports and a new folder, started as a user starts it.
final class ServerProcess implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Path data;
    private final String endpoint;
    private final Duration startup;

    private ServerProcess(Process process, Path data, String endpoint, Duration startup) {
        this.process = process;
        this.data = data;
        this.endpoint = endpoint;
        this.startup = startup;
    }

    static ServerProcess start() throws IOException {
        String launcher = System.getProperty("cleave.launcher");
        if (launcher == null) {
            throw new IllegalStateException("-Dcleave.launcher= names ./cleave; run me through it");
        }
        Path data = Files.createTempDirectory("cleave-bench");
        long from = System.nanoTime();
        Process process =
                new ProcessBuilder(
                                launcher,
                                "start",
                                "--data",
                                data.toString(),
                                "--grpc-port",
                                "0",
                                "--http-port",
                                "0")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        Duration startup = Duration.ofNanos(System.nanoTime() - from);
        if (line == null || !line.startsWith("ready ")) {
            process.destroyForcibly();
            throw new IOException("the server did not start: " + line);
        }
        return new ServerProcess(process, data, line.split(" ")[1], startup);
    }

    /// `grpc://localhost:PORT/local`.
    String endpoint() {
        return endpoint;
    }

    /// From the launcher's first instruction to the ready line.
    Duration startup() {
        return startup;
    }

    /// All threads, in user and in kernel mode, since the process began. It counts in hundredths of
    /// a second.
    Duration cpuTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the server did not stop within " + STOP_LIMIT);
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
