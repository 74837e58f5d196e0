package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

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
    void whoHasNoClusterIsToldHowToGetOne() {
        for (String verb : new String[] {"status", "kill", "start"}) {
            String[] args =
                    verb.equals("status")
                            ? new String[] {verb, "--data", folder.toString()}
                            : new String[] {verb, "bookie", "2", "--data", folder.toString()};
            assertThat(run(args)).isEqualTo(CommandLine.ExitCode.SOFTWARE);
            assertThat(errors.toString()).contains("start one with cluster up");
        }
        assertThat(run("down", "--data", folder.toString())).isZero();
    }

    @Test
    void aKindThatIsNotThereIsAnErrorThatNamesThem() {
        assertThat(run("kill", "broker")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).containsIgnoringCase("bookie");
    }
}
