package io.cleave.bench;

import io.cleave.bookkeeper.BookKeeperSettings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A development cluster, started and stopped as a user would, on free ports and a new folder.
final class ClusterProcesses implements AutoCloseable {
    private final String launcher;
    private final Path data;
    private final Duration startup;
    private final BookKeeperSettings settings;
    private final String endpoint;

    private ClusterProcesses(
            String launcher,
            Path data,
            Duration startup,
            BookKeeperSettings settings,
            String endpoint) {
        this.launcher = launcher;
        this.data = data;
        this.startup = startup;
        this.settings = settings;
        this.endpoint = endpoint;
    }

    static ClusterProcesses start() throws IOException, InterruptedException {
        String launcher = System.getProperty("cleave.launcher");
        if (launcher == null) {
            throw new IllegalStateException("-Dcleave.launcher= names ./cleave; run me through it");
        }
        Path data = Files.createTempDirectory("cleave-cluster");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(launcher, data)));
        long from = System.nanoTime();
        List<String> lines =
                run(launcher, "up", data, "--nodes", "3", "--grpc-port", "0", "--http-port", "0");
        var startup = Duration.ofNanos(System.nanoTime() - from);
        return new ClusterProcesses(
                launcher,
                data,
                startup,
                BookKeeperSettings.parse(word(lines, "storage")),
                word(lines, "endpoint"));
    }

    private static String word(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.split(" +")[1])
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + " in " + lines));
    }

    private static List<String> run(String launcher, String verb, Path data, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher, "cluster", verb));
        command.addAll(List.of("--data", data.toString()));
        command.addAll(List.of(options));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<String> lines = process.inputReader().lines().toList();
        if (process.waitFor() != 0) {
            throw new IOException("cluster " + verb + " failed: " + lines);
        }
        return lines;
    }

    /// From the launcher's first instruction until it reports that everything is ready.
    Duration startup() {
        return startup;
    }

    BookKeeperSettings settings() {
        return settings;
    }

    /// The endpoint of the node: `grpc://localhost:PORT/local`.
    String endpoint() {
        return endpoint;
    }

    /// The CPU time of all its processes since they started.
    Duration cpuTime() {
        try {
            Duration sum = Duration.ZERO;
            for (String line : Files.readAllLines(data.resolve("cluster.txt"))) {
                sum =
                        sum.plus(
                                process(line)
                                        .flatMap(process -> process.info().totalCpuDuration())
                                        .orElse(Duration.ZERO));
            }
            return sum;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The process of a line of `cluster.txt`, if it is running.
    private static Optional<ProcessHandle> process(String line) {
        String[] words = line.split(" ");
        return ProcessHandle.of(Long.parseLong(words[List.of(words).indexOf("pid") + 1]));
    }

    /// Sends SIGKILL, and returns at once.
    void killBookie(int number) throws IOException {
        String name = "bookie " + number + " ";
        for (String line : Files.readAllLines(data.resolve("cluster.txt"))) {
            if (line.startsWith(name)) {
                var _ = process(line).orElseThrow().destroyForcibly();
            }
        }
    }

    /// Returns when the bookie answers.
    void startBookie(int number) throws IOException, InterruptedException {
        var _ = run(launcher, "start", data, "bookie", "" + number);
    }

    private static void stop(String launcher, Path data) {
        if (Files.exists(data)) {
            try {
                var _ = run(launcher, "down", data);
            } catch (IOException e) {
                System.err.println(e.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Stops the processes and removes their folder.
    @Override
    public void close() throws IOException {
        stop(launcher, data);
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
