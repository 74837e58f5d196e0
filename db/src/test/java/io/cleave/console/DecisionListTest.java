package io.cleave.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.console.Operations.DecisionRow;

import org.junit.jupiter.api.Test;

import java.util.List;

class DecisionListTest {
    private static String verdict(String helped, String verdict) {
        return text("", helped, verdict).getLast();
    }

    private static List<String> text(String outcome, String helped, String verdict) {
        var row =
                new DecisionRow(
                        0,
                        0,
                        "SPLIT",
                        "SPLIT_BY_LOAD",
                        List.of(1L),
                        "split tablet 1",
                        List.of(),
                        List.of(),
                        List.of(),
                        "PLANNED",
                        0,
                        outcome,
                        helped,
                        verdict,
                        "");
        return DecisionList.text(List.of(row), "none").lines().map(String::strip).toList();
    }

    @Test
    void aVerdictThatIsNotKnownIsNoFailure() {
        assertThat(verdict("NOT_KNOWN", "the node ended before that was known"))
                .isEqualTo("not known whether it helped: the node ended before that was known");
        assertThat(verdict("YES", "load fell")).isEqualTo("helped: load fell");
        assertThat(verdict("NO", "load stayed")).isEqualTo("did not help: load stayed");
    }

    @Test
    void aChangeThatIsOnlyPlannedSaysSo() {
        String first = "1970-01-01T00:00:00Z  SPLIT_BY_LOAD: split tablet 1";
        assertThat(text("", "NOT_KNOWN", "")).containsExactly(first);
        assertThat(text("only planned", "NOT_KNOWN", "")).containsExactly(first, "only planned");
    }
}
