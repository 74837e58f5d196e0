package io.cleave.bench.abuse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs an [Attacker] in a process of the lowest priority. It shares the cores with the server, and
/// must not take CPU time away from it.
final class AttackerProcess {
    private static final int STOP_SECONDS = 30;

    private AttackerProcess() {}

    /// Runs the attack, and returns how its requests ended.
    static Endings run(String attack, int seconds, Target target)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
        command.addAll(java("-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add(Attacker.class.getName());
        command.add(attack);
        command.add(Integer.toString(seconds));
        command.add(Integer.toString(target.grpcPort()));
        command.add(Integer.toString(target.httpPort()));
        command.add(Integer.toString(target.ytPort()));
        command.add(target.database());
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var endings = new Endings();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                endings.addLine(line);
            }
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the attacker did not end");
            }
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            endings.add(new Ending("the attacker hung", "exit code " + process.exitValue()));
        }
        return endings;
    }

    /// The command line of a JVM like this one, with the same classes.
    static List<String> java(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }
}
