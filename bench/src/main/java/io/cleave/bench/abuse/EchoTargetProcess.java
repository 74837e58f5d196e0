package io.cleave.bench.abuse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// An [EchoTarget] in its own process, with the same heap as the server.
final class EchoTargetProcess implements AutoCloseable {
    private final Process process;
    private final Target target;

    private EchoTargetProcess(Process process, Target target) {
        this.process = process;
        this.target = target;
    }

    static EchoTargetProcess start(String heap) throws IOException {
        List<String> command =
                new ArrayList<>(
                        AttackerProcess.java(
                                "-Xmx" + heap, "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"));
        command.add(EchoTarget.class.getName());
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        String ports = process.inputReader().readLine();
        if (ports == null) {
            throw new IOException("the echo did not start");
        }
        String[] words = ports.split(" ");
        return new EchoTargetProcess(
                process,
                new Target(
                        Integer.parseInt(words[0]),
                        Integer.parseInt(words[1]),
                        Integer.parseInt(words[1]),
                        "/local"));
    }

    Target target() {
        return target;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// The process ends when its input ends.
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
