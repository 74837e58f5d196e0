package io.cleave.balance.ydb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
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

class YdbPolicyTest {
    @TestFactory
    Stream<DynamicTest> decisions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/balance"), YdbPolicyTest::decide);
    }

    private static String decide(DataDriven.Command command) {
        var drawn = new DrawnTable(command);
        var text = new StringBuilder();
        var decisions = new YdbPolicy().decide(drawn.cluster(), drawn, drawn.settings());
        for (Decision decision : decisions.getOrDefault(DrawnTable.TABLE_ID, List.of())) {
            text.append(print(decision, drawn)).append('\n');
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }

    private static String print(Decision decision, DrawnTable drawn) {
        String said = decision.rule().text() + ": " + decision.text(drawn::text);
        return switch (decision) {
            case Split split -> said + rejected(split.rejected());
            case Merge merge -> said + rejected(merge.rejected());
            case Move _, Reshard _, Leave _ -> said;
            case Warn warn -> "warning: " + warn.text(drawn::text);
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
