package io.cleave.bench.yt;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/// An [HttpEcho] in its own process, with the JVM and the options of the server.
final class EchoRunner implements AutoCloseable {
    private final Process process;
    private final String address;

    private EchoRunner(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    static EchoRunner start(byte[] answer) throws IOException {
        Path launcher = Path.of(System.getProperty("cleave.launcher"));
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "@" + launcher.resolveSibling("cli/jvm.options"),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        HttpEcho.class.getName(),
                                        Base64.getEncoder().encodeToString(answer)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String port = process.inputReader().readLine();
        if (port == null) {
            throw new IOException("the echo did not start");
        }
        return new EchoRunner(process, "http://localhost:" + port);
    }

    String address() {
        return address;
    }

    Duration cpuTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
