package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

class ClusterCommandTest {
    @TempDir Path folder;

    private final StringWriter errors = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new ClusterCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(errors))
                .execute(args);
    }

    @Test
    void whoHasNoClusterIsToldHowToGetOneAndNothingIsMade() {
        Path none = folder.resolve("none");
        for (String command : List.of("status", "down", "kill bookie 2", "start bookie 2")) {
            errors.getBuffer().setLength(0);
            String[] args = (command + " --data " + none).split(" ");
            assertThat(run(args)).as(command).isEqualTo(CommandLine.ExitCode.SOFTWARE);
            assertThat(errors.toString()).contains("start one with cluster up");
            assertThat(none).doesNotExist();
        }
    }

    @Test
    void aKindThatIsNotThereIsAnErrorThatNamesThem() {
        assertThat(run("kill", "broker")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).containsIgnoringCase("bookie");
    }
}
