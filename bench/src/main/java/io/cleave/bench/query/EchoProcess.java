package io.cleave.bench.query;

import io.cleave.bench.ServerProcess;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// An [EchoServer] in its own process, with the JVM and the options of the server.
final class EchoProcess implements AutoCloseable {
    private final Process process;
    private final String endpoint;

    private EchoProcess(Process process, String endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    static EchoProcess start(ServerProcess cleave) throws IOException {
        URI uri = URI.create(cleave.endpoint());
        Path launcher = Path.of(System.getProperty("cleave.launcher"));
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "@" + launcher.resolveSibling("cli/jvm.options"),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        EchoServer.class.getName(),
                                        uri.getAuthority()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String port = process.inputReader().readLine();
        if (port == null) {
            throw new IOException("the echo did not start");
        }
        return new EchoProcess(process, "grpc://localhost:" + port + uri.getPath());
    }

    String endpoint() {
        return endpoint;
    }

    Duration cpuTime() {
        return ProcessTicks.duration(ProcessTicks.alone(process.pid()));
    }

    /// The process ends when its input ends.
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
