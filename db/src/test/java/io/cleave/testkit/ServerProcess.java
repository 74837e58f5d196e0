package io.cleave.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A server in a process of its own, on a data folder, from the class path of the tests. It answers
/// once it has been made. What it prints is in `server.out` beside its data folder.
public final class ServerProcess implements AutoCloseable {
    /// Cells that flush and compact after kilobytes instead of megabytes.
    public static final String SMALL_CELLS = "small-cells";

    /// Three user cells instead of one.
    public static final String THREE_CELLS = "three-cells";

    /// A port for clients of YTsaurus, too.
    public static final String YT = "yt";

    /// With [#YT]: the balancer changes tables by itself.
    public static final String BALANCED = "balanced";

    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final Path output;
    private final String endpoint;
    private final String console;
    private final String yt;

    /// The lines are `yt http://…`, if there is such a port, and `ready …`.
    private ServerProcess(Process process, Path output, List<String> lines) {
        this.process = process;
        this.output = output;
        String[] ready = lines.getLast().split(" ");
        endpoint = ready[1];
        console = ready[2];
        yt = lines.size() == 1 ? "" : lines.getFirst().split(" ")[1];
    }

    /// Starts a server; returns when it has said that it is ready.
    public static ServerProcess start(Path data, String... options) {
        return start(data, List.of(), options);
    }

    /// As [#start], and none of its files can grow beyond so many bytes: the system fails the
    /// write, as it does on a full disk.
    public static ServerProcess startWithSmallFiles(Path data, int fileBytes, String... options) {
        String limit = "ulimit -f %d; exec \"$@\"".formatted(fileBytes / 512);
        return start(data, List.of("/bin/sh", "-c", limit, "sh"), options);
    }

    private static ServerProcess start(Path data, List<String> before, String... options) {
        List<String> arguments = new ArrayList<>();
        arguments.add(data.toString());
        arguments.addAll(List.of(options));
        return start(data.resolveSibling("server.out"), before, ServerMain.class, arguments);
    }

    /// As [#start], with a `main` of the caller's that ends in [ServerMain#serve]. What it prints
    /// goes to `output`.
    public static ServerProcess start(Path output, Class<?> main, List<String> arguments) {
        return start(output, List.of(), main, arguments);
    }

    private static ServerProcess start(
            Path output, List<String> before, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-ea");
        command.add("-Xmx256m");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("-Xshare:auto");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(output.toFile()))
                            .start();
            return new ServerProcess(process, output, readyOf(process, output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What clients connect to: `grpc://host:port/database`.
    public String endpoint() {
        return endpoint;
    }

    /// Its HTTP port: `http://host:port`.
    public String console() {
        return console;
    }

    /// Its port for clients of YTsaurus, `http://host:port`, if it was started with [#YT].
    public String yt() {
        return yt;
    }

    public String jdbcUrl() {
        return "jdbc:ydb:" + endpoint;
    }

    /// SIGKILL: the process gets no chance to finish anything.
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /// SIGSTOP: it stands still, and its connections stay open.
    public void suspend() {
        signal("-STOP");
    }

    /// SIGCONT.
    public void resume() {
        signal("-CONT");
    }

    private void signal(String which) {
        try {
            new ProcessBuilder("kill", which, Long.toString(process.pid())).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// SIGTERM; the exit code.
    public int stop() {
        process.destroy();
        try {
            return process.onExit().get(STOP_SECONDS, TimeUnit.SECONDS).exitValue();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            kill();
            throw new AssertionError("the server did not stop; it printed:\n" + printed(), e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Everything that servers on this folder wrote to standard error.
    public String printed() {
        return printed(output);
    }

    @Override
    public void close() {
        kill();
    }

    /// The lines that it prints until it is ready.
    private static List<String> readyOf(Process process, Path output) {
        var lines = new CompletableFuture<List<String>>();
        Thread.ofVirtual().name("server-output").start(() -> readLines(process, lines));
        try {
            return lines.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new AssertionError("no server; it printed:\n" + printed(output), e);
        }
    }

    private static void readLines(Process process, CompletableFuture<List<String>> ready) {
        List<String> printed = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("yt ") || line.startsWith("ready ")) {
                    printed.add(line);
                }
                if (line.startsWith("ready ")) {
                    ready.complete(List.copyOf(printed));
                }
            }
            ready.completeExceptionally(new IOException("the server ended without being ready"));
        } catch (IOException e) {
            // A killed process closes its end in the middle of a read.
            ready.completeExceptionally(e);
        }
    }

    private static String printed(Path output) {
        try {
            return Files.exists(output) ? Files.readString(output) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
