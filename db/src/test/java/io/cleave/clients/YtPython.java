package io.cleave.clients;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The Python client and the command line of YTsaurus, in a virtual environment below `target`, and
/// a process that runs cases with them.
final class YtPython implements AutoCloseable {
    private static final String CLIENT = "ytsaurus-client==0.13.55";
    private static final String YSON = "ytsaurus-yson==0.4.10";

    /// With this package, the client sends rows in Brotli.
    private static final String BROTLI = "brotli==1.2.1";

    private static final Path CASES = Path.of("src/test/python");
    private static final Path FOLDER = Path.of("target/yt-venv");
    private static final long INSTALL_MINUTES = 10;

    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    private YtPython(Process process) {
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.US_ASCII);
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    /// Makes the environment, unless it is there. Returns why that is not possible; empty if it is.
    static Optional<String> install() throws IOException, InterruptedException {
        Path lock = FOLDER.resolveSibling("yt-venv.lock").toAbsolutePath();
        Files.createDirectories(lock.getParent());
        // Another test may make it at the same time, in a process of its own.
        try (FileChannel file = FileChannel.open(lock, CREATE, WRITE);
                FileLock _ = file.lock()) {
            return installLocked();
        }
    }

    private static Optional<String> installLocked() throws IOException, InterruptedException {
        Path done = FOLDER.resolve("installed");
        String wanted = String.join(" ", CLIENT, YSON, BROTLI);
        if (Files.exists(done) && Files.readString(done).equals(wanted)) {
            return Optional.empty();
        }
        Path log = FOLDER.resolveSibling("yt-venv.log");
        if (!run(log, "python3", "-m", "venv", FOLDER.toString())) {
            return Optional.of("there is no python3 with venv: see " + log.toAbsolutePath());
        }
        if (!run(log, python(), "-m", "pip", "install", "-q", CLIENT, YSON, BROTLI)) {
            return Optional.of("pip cannot install " + wanted + ": see " + log.toAbsolutePath());
        }
        Files.writeString(done, wanted);
        return Optional.empty();
    }

    private static String python() {
        return FOLDER.resolve("bin/python3").toAbsolutePath().toString();
    }

    private static boolean run(Path log, String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /// Starts the process; its client talks to the proxy `host:port`.
    static YtPython start(String proxy) throws IOException {
        String cases = CASES.resolve("yt_cases.py").toAbsolutePath().toString();
        ProcessBuilder builder = builder(proxy, python(), cases);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        var python = new YtPython(builder.start());
        python.answer();
        return python;
    }

    /// Runs a line of the shell in which `yt` is the command line. Returns what it prints, and last
    /// `exit N` if it fails.
    static String shell(String proxy, String line) throws IOException, InterruptedException {
        return run(builder(proxy, "/bin/sh", "-c", line));
    }

    /// As [#shell(String, String)]; `./cleave` asks the server's HTTP port, too.
    ///
    /// @param console the HTTP port, `http://host:port`
    static String shell(String proxy, String console, String line)
            throws IOException, InterruptedException {
        ProcessBuilder builder = builder(proxy, "/bin/sh", "-c", line);
        builder.environment().put("CLEAVE_HTTP", console);
        return run(builder.directory(CASES.toFile()));
    }

    private static String run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return code == 0 ? output : output + "exit " + code;
    }

    private static ProcessBuilder builder(String proxy, String... command) {
        var builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.put("YT_PROXY", proxy);
        environment.put("YT_TOKEN", "test");
        environment.put("TZ", "UTC");
        // Settings of the developer must not change the answers.
        environment.put("HOME", FOLDER.toAbsolutePath().toString());
        environment.merge(
                "PATH",
                FOLDER.resolve("bin").toAbsolutePath().toString(),
                (old, bin) -> bin + ":" + old);
        return builder;
    }

    /// What a case prints.
    String run(String kind, String text, String stdin) {
        try {
            requests.write(kind + " " + base64(text) + " " + base64(stdin) + "\n");
            requests.flush();
            return answer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the Python process has ended");
        }
        return new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
