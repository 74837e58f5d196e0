package io.cleave.bench.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleave.bench.Folders;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A PostgreSQL of the system's packages, in a new folder and on a free port. It syncs every
/// commit, as Cleave does, and has more memory than by default. It ends with the benchmark, even if
/// that is interrupted.
final class PostgresProcess implements AutoCloseable {
    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

    /// Users to run PostgreSQL as if the benchmark runs as root, which PostgreSQL refuses.
    private static final List<String> USERS = List.of("postgres", "nobody");

    private static final List<String> SETTINGS =
            List.of(
                    "fsync=on",
                    "synchronous_commit=on",
                    "shared_buffers=1GB",
                    "work_mem=64MB",
                    "max_wal_size=8GB",
                    "max_parallel_workers_per_gather=2",
                    "listen_addresses=127.0.0.1",
                    "logging_collector=off",
                    "log_min_messages=panic");

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Path data;
    private final String url;
    private final Thread hook;

    private PostgresProcess(Process process, Path data, String url) {
        this.process = process;
        this.data = data;
        this.url = url;
        hook = new Thread(this::abandon);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// The folder of the programs: from PATH, or the newest one that Debian's packages have
    /// installed.
    static Optional<Path> findPrograms() throws IOException {
        List<Path> places = new ArrayList<>();
        for (String place : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            places.add(Path.of(place));
        }
        if (Files.isDirectory(PACKAGES)) {
            try (Stream<Path> versions = Files.list(PACKAGES)) {
                versions.sorted((a, b) -> b.compareTo(a))
                        .forEach(v -> places.add(v.resolve("bin")));
            }
        }
        return places.stream().filter(PostgresProcess::hasPrograms).findFirst();
    }

    static boolean hasPrograms(Path dir) {
        return Files.isExecutable(dir.resolve("initdb"))
                && Files.isExecutable(dir.resolve("postgres"));
    }

    static PostgresProcess start(Path programs) throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("cleave-bench-postgres");
        List<String> as = otherUser(data);
        String initdb = programs.resolve("initdb").toString();
        run(as, initdb, "-D", data.toString(), "-U", "bench", "-A", "trust", "-E", "UTF8", "-N");
        int port = freePort();
        List<String> command = new ArrayList<>(as);
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", data.toString()));
        command.addAll(List.of("-p", String.valueOf(port), "-k", data.toString()));
        SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
        Process process =
                new ProcessBuilder(command)
                        .directory(data.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=bench&sslmode=disable";
        var postgres = new PostgresProcess(process, data, url);
        postgres.awaitReady();
        return postgres;
    }

    /// The command prefix to run a program as an unprivileged user, who becomes the owner of the
    /// folder. Empty if the benchmark itself is unprivileged.
    private static List<String> otherUser(Path data) throws IOException, InterruptedException {
        if (!System.getProperty("user.name").equals("root")) {
            return List.of();
        }
        for (String user : USERS) {
            var id = new ProcessBuilder("id", "-g", user).redirectErrorStream(true).start();
            String group = new String(id.getInputStream().readAllBytes(), UTF_8).strip();
            if (id.waitFor() == 0) {
                var users = data.getFileSystem().getUserPrincipalLookupService();
                Files.setOwner(data, users.lookupPrincipalByName(user));
                return List.of("setpriv", "--reuid", user, "--regid", group, "--clear-groups");
            }
        }
        throw new IOException("PostgreSQL does not run as root, and there is none of " + USERS);
    }

    private static void run(List<String> as, String... command)
            throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(as);
        whole.addAll(List.of(command));
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command[0] + " failed: " + output);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long until = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (var _ = DriverManager.getConnection(url)) {
                return;
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() > until) {
                    close();
                    throw new IOException("PostgreSQL did not start: " + e.getMessage(), e);
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    String url() {
        return url;
    }

    /// The CPU time of all its processes, including ended ones, which were children of the first
    /// one.
    Duration cpuTime() {
        long ticks = ProcessTicks.withEndedChildren(process.pid());
        ticks += process.descendants().mapToLong(each -> ProcessTicks.alone(each.pid())).sum();
        return ProcessTicks.duration(ticks);
    }

    /// Stops PostgreSQL and removes its folder.
    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(hook);
        stop();
    }

    private void abandon() {
        try {
            stop();
        } catch (IOException e) {
            System.err.println("cannot remove " + data + ": " + e);
        }
    }

    private void stop() throws IOException {
        interrupt();
        process.onExit()
                .completeOnTimeout(process, STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join()
                .destroyForcibly();
        Folders.delete(data);
    }

    /// PostgreSQL's fast shutdown. SIGTERM would wait for its clients.
    private void interrupt() {
        try {
            new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
