package io.cleave.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.console.Operations.DecisionRow;

import org.junit.jupiter.api.Test;

import java.util.List;

class DecisionListTest {
    private static String verdict(String helped, String verdict) {
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
                        "",
                        helped,
                        verdict);
        return DecisionList.text(List.of(row), "none").lines().toList().getLast().strip();
    }

    @Test
    void aVerdictThatIsNotKnownIsNoFailure() {
        assertThat(verdict("NOT_KNOWN", "the node ended before that was known"))
                .isEqualTo("not known whether it helped: the node ended before that was known");
        assertThat(verdict("YES", "load fell")).isEqualTo("helped: load fell");
        assertThat(verdict("NO", "load stayed")).isEqualTo("did not help: load stayed");
    }
}
