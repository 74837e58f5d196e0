package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tech.ydb.core.Issue;
import tech.ydb.core.Issue.Position;
import tech.ydb.core.Issue.Severity;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

class ErrorReportTest {
    @Test
    void theCaretStandsUnderThePlace() {
        var cause = issue(at(2, 7), "no column rating");
        var phase =
                Issue.of(
                        Position.EMPTY,
                        Position.EMPTY,
                        1030,
                        "Type annotation",
                        Severity.ERROR,
                        cause);

        assertThat(report("SELECT title,\n\t  rt\nFROM t", phase))
                .isEqualTo(
                        """
                        error: SCHEME_ERROR at line 2, column 7: no column rating
                          \t  rt
                          \t     ^
                        """);
    }

    @Test
    void anErrorWithoutAPlaceHasNoCaret() {
        assertThat(report("SELECT 1", issue(Position.EMPTY, "overloaded")))
                .isEqualTo("error: SCHEME_ERROR: overloaded\n");
    }

    @Test
    void aPlaceOutsideTheTextIsLeftOut() {
        assertThat(report("SELECT 1", issue(at(5, 1), "odd")))
                .isEqualTo("error: SCHEME_ERROR: odd\n");
    }

    /// The SDK takes them the other way round.
    private static Position at(int row, int column) {
        return Position.of(column, row);
    }

    private static Issue issue(Position position, String message) {
        return Issue.of(position, 0, message, Severity.ERROR);
    }

    private static String report(String text, Issue issue) {
        var bytes = new ByteArrayOutputStream();
        var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        new ErrorReport(out, text).failed(Status.of(StatusCode.SCHEME_ERROR, issue));
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
