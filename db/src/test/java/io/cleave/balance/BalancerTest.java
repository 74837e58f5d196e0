package io.cleave.balance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

class BalancerTest {
    @TestFactory
    Stream<DynamicTest> decisions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/balance"), BalancerTest::decide);
    }

    private static String decide(DataDriven.Command command) {
        var drawn = new DrawnTable(command);
        var text = new StringBuilder();
        for (Decision decision : Balancer.decide(drawn.state(), drawn, BalanceSettings.DEFAULT)) {
            text.append(print(decision, drawn)).append('\n');
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }

    private static String print(Decision decision, DrawnTable drawn) {
        String said = decision.rule().text() + ": " + decision.text(drawn::text);
        return switch (decision) {
            case Split split -> said + placed(split) + rejected(split.rejected());
            case Merge merge -> said + rejected(merge.rejected());
            case Leave _ -> said;
            case Warn warn -> "warning: " + warn.text(drawn::text);
        };
    }

    private static String placed(Split split) {
        return switch (split.placement()) {
            case STAY -> "";
            case LAST_ELSEWHERE -> "; the last one goes to another cell";
            case FIRST_ELSEWHERE -> "; the first one goes to another cell";
        };
    }

    private static String rejected(List<String> rejected) {
        return rejected.isEmpty() ? "" : "\n  not: " + String.join("\n  not: ", rejected);
    }

    @Test
    void settingsThatCouldSplitAndMergeForEverAreRefused() {
        BalanceSettings settings = BalanceSettings.DEFAULT;
        assertThatThrownBy(() -> settings.withMergeShare(0.95))
                .hasMessageContaining("could split and merge for ever");
        assertThatThrownBy(
                        () ->
                                settings.withTimes(
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(9),
                                        Duration.ofSeconds(60),
                                        Duration.ofSeconds(60)))
                .hasMessageContaining("could split and merge for ever");
        assertThatThrownBy(
                        () ->
                                settings.withTimes(
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(20),
                                        Duration.ofSeconds(9),
                                        Duration.ofSeconds(60)))
                .hasMessageContaining("could split and merge for ever");
    }
}
