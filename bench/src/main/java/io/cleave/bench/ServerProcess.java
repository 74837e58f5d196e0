package io.cleave.bench;

import io.cleave.bookkeeper.BookKeeperSettings;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A server in its own process, on free ports and a new folder, started as a user would start it.
public final class ServerProcess implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Path data;
    private final String endpoint;
    private final String console;
    private final String ytProxy;
    private final Duration startup;

    private ServerProcess(
            Process process,
            Path data,
            String endpoint,
            String console,
            String ytProxy,
            Duration startup) {
        this.process = process;
        this.data = data;
        this.endpoint = endpoint;
        this.console = console;
        this.ytProxy = ytProxy;
        this.startup = startup;
    }

    public static ServerProcess start(String... options) throws IOException {
        return start(Files.createTempDirectory("cleave-bench"), options);
    }

    /// Starts the server of another build, by its `./cleave`.
    public static ServerProcess startBuild(Path launcher) throws IOException {
        Path data = Files.createTempDirectory("cleave-bench");
        return start(launcher.toString(), data, List.of("--data", data.toString()), Map.of());
    }

    /// Starts on this folder, which may exist or not.
    static ServerProcess start(Path data, String... options) throws IOException {
        return start(data, List.of("--data", data.toString()), options);
    }

    /// Starts on this folder with a limited heap, such as `512m`.
    public static ServerProcess startWithHeap(Path data, String heap, String... options)
            throws IOException {
        List<String> all = new ArrayList<>(List.of("--yt-port", "0"));
        all.addAll(List.of(options));
        return start(
                data,
                List.of("--data", data.toString()),
                Map.of("JDK_JAVA_OPTIONS", "-Xmx" + heap),
                all.toArray(String[]::new));
    }

    /// Starts on a BookKeeper cluster.
    static ServerProcess startOn(BookKeeperSettings storage) throws IOException {
        return start(
                Files.createTempDirectory("cleave-bench"), List.of("--storage", storage.name()));
    }

    private static ServerProcess start(Path data, List<String> where, String... options)
            throws IOException {
        return start(data, where, Map.of(), options);
    }

    private static ServerProcess start(
            Path data, List<String> where, Map<String, String> environment, String... options)
            throws IOException {
        String launcher = System.getProperty("cleave.launcher");
        if (launcher == null) {
            throw new IllegalStateException("-Dcleave.launcher= names ./cleave; run me through it");
        }
        return start(launcher, data, where, environment, options);
    }

    private static ServerProcess start(
            String launcher,
            Path data,
            List<String> where,
            Map<String, String> environment,
            String... options)
            throws IOException {
        long from = System.nanoTime();
        List<String> command = new ArrayList<>(List.of(launcher, "start"));
        command.addAll(where);
        command.addAll(List.of("--grpc-port", "0", "--http-port", "0"));
        command.addAll(List.of(options));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        Process process = builder.start();
        // Also stops the server if the benchmark is interrupted or killed by a signal.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        String ytProxy = "";
        if (line != null && line.startsWith("yt ")) {
            ytProxy = line.substring("yt ".length());
            line = output.readLine();
        }
        Duration startup = Duration.ofNanos(System.nanoTime() - from);
        if (line == null || !line.startsWith("ready ")) {
            process.destroyForcibly();
            throw new IOException("the server did not start: " + line);
        }
        String[] words = line.split(" ");
        return new ServerProcess(process, data, words[1], words[2], ytProxy, startup);
    }

    /// `grpc://localhost:PORT/local`.
    public String endpoint() {
        return endpoint;
    }

    /// `http://localhost:PORT`.
    public String console() {
        return console;
    }

    /// The address of YTsaurus' API, `http://localhost:PORT`; empty if the server does not serve
    /// it.
    public String ytProxy() {
        return ytProxy;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// The last output of a process that has ended.
    public String lastWords() throws IOException {
        if (process.isAlive()) {
            return "";
        }
        List<String> lines = process.inputReader().readAllLines();
        return lines.isEmpty() ? "" : lines.getLast();
    }

    /// From the launcher's first instruction to the ready line.
    Duration startup() {
        return startup;
    }

    /// All bytes that the process wrote so far, to files and to sockets.
    public long bytesWritten() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/io"))) {
            if (line.startsWith("wchar: ")) {
                return Long.parseLong(line.substring("wchar: ".length()));
            }
        }
        throw new IOException("no wchar");
    }

    /// Sends SIGKILL. [#close] must still be called.
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /// The CPU time of all threads, in user and kernel mode, since the process started. Its
    /// resolution is a hundredth of a second.
    public Duration cpuTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// Stops the process and removes its folder.
    @Override
    public void close() throws IOException {
        stop();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// Stops the process and keeps its folder.
    public Path stop() throws IOException {
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
        return data;
    }
}
