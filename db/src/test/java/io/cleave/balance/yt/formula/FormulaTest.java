package io.cleave.balance.yt.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.testkit.DataDriven;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Formulas as texts. A command names a minute, and each line of its input is a formula.
class FormulaTest {
    @TestFactory
    Stream<DynamicTest> formulas() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/ytbalance/formula"), FormulaTest::evaluate);
    }

    private static String evaluate(DataDriven.Command command) {
        int hours = (int) command.number("hours");
        int minutes = (int) command.number("minutes");
        var answers = new StringBuilder();
        for (String text : command.input()) {
            answers.append(answer(text, hours, minutes)).append('\n');
        }
        return answers.toString();
    }

    private static String answer(String text, int hours, int minutes) {
        try {
            return switch (Formula.parse(text).evaluate(hours, minutes)) {
                case FormulaResult.Value(long number) -> Long.toString(number);
                case FormulaResult.Failure(String why) -> "fails: " + why;
            };
        } catch (YtException e) {
            YtError error = e.error();
            String attributes =
                    error.attributes().members().isEmpty() ? "" : "\n" + error.attributes().print();
            return "refused: " + error.message() + attributes;
        }
    }

    @Test
    void aFormulaKeepsItsText() {
        for (String text : new String[] {"", "  ", " (hours*60 + minutes) %  40 == 0\n", "1/0"}) {
            assertThat(Formula.parse(text).text()).isEqualTo(text);
            assertThat(Formula.parse(text)).hasToString(text).isEqualTo(Formula.parse(text));
        }
    }

    @Test
    void aFormulaWithoutTokensIsEmpty() {
        assertThat(Formula.EMPTY.isEmpty()).isTrue();
        assertThat(Formula.parse(" \t\n\u000b\f\r").isEmpty()).isTrue();
        assertThat(Formula.parse("0").isEmpty()).isFalse();
    }

    @Test
    void lineBreaksAreEscapedInErrorsOfEvaluation() {
        assertThat(Formula.parse("1 /\n\t0").evaluate(0, 0))
                .isEqualTo(new FormulaResult.Failure("Division by zero in formula \"1 /\\n\\t0\""));
    }

    @Test
    void charactersOutsideOfAsciiAreUnexpected() {
        assertThatThrownBy(() -> Formula.parse("hours\u00a0== 1"))
                .hasMessageEndingWith("\n     ^\nUnexpected character");
        assertThatThrownBy(() -> Formula.parse("\u0661"))
                .hasMessageEndingWith("Unexpected character");
    }

    @Test
    void depthIsLimitedOnlyByTheLength() {
        int half = Formula.MAX_LENGTH / 2;
        assertValue("(".repeat(half - 1) + "7" + ")".repeat(half - 1), 7);
        assertValue("!".repeat(half) + "7", 1);
        assertValue("!".repeat(half - 1) + "7", 0);
        assertValue("1" + "+1".repeat(half - 1), half);
        assertValue("(1+".repeat(half / 2 - 1) + "1" + ")".repeat(half / 2 - 1), half / 2);
        assertValue("5 in 1" + ",5".repeat(half - 4), 1);
        assertThatThrownBy(() -> Formula.parse("(".repeat(Formula.MAX_LENGTH)))
                .hasMessageEndingWith("Unfinished formula");
        assertThatThrownBy(() -> Formula.parse("(".repeat(Formula.MAX_LENGTH - 1) + "1"))
                .hasMessageEndingWith("Unmatched '('");
    }

    @Test
    void aLongTextIsRefused() {
        assertThat(Formula.parse("1" + " ".repeat(Formula.MAX_LENGTH - 1)).evaluate(0, 0))
                .isEqualTo(new FormulaResult.Value(1));
        assertThatThrownBy(() -> Formula.parse(" ".repeat(Formula.MAX_LENGTH + 1)))
                .isInstanceOf(YtException.class)
                .hasMessage(
                        "Formula has 10001 characters, and the limit is 10000; write a shorter"
                                + " one");
    }

    private static void assertValue(String text, long value) {
        assertThat(Formula.parse(text).evaluate(0, 0)).isEqualTo(new FormulaResult.Value(value));
    }
}
