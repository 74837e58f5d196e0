package io.cleave.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The Python client and the command line of YTsaurus, in a virtual environment below `target`, and
/// a process that runs cases with them.
final class YtPython implements AutoCloseable {
    private static final String CLIENT = "ytsaurus-client==0.13.55";
    private static final String YSON = "ytsaurus-yson==0.4.10";

    /// With this package, the client sends rows in Brotli.
    private static final String BROTLI = "brotli==1.2.1";

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
        Path done = FOLDER.resolve("installed");
        String wanted = String.join(" ", CLIENT, YSON, BROTLI);
        if (Files.exists(done) && Files.readString(done).equals(wanted)) {
            return Optional.empty();
        }
        Files.createDirectories(FOLDER.toAbsolutePath().getParent());
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
        var builder =
                new ProcessBuilder(
                        python(),
                        Path.of("src/test/python/yt_cases.py").toAbsolutePath().toString());
        builder.environment().put("YT_PROXY", proxy);
        builder.environment().put("YT_TOKEN", "test");
        builder.environment().put("TZ", "UTC");
        // Settings of the developer must not change the answers.
        builder.environment().put("HOME", FOLDER.toAbsolutePath().toString());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        var python = new YtPython(builder.start());
        python.answer();
        return python;
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
