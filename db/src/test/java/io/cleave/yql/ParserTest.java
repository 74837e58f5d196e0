package io.cleave.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class ParserTest {
    /// `parse`, the text, and its tree or `row:column STATUS message`; or `script` and its parts;
    /// or `warnings`.
    @TestFactory
    Stream<DynamicTest> texts() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/yql"),
                c -> answer(c.name(), String.join("\n", c.input())));
    }

    private static String answer(String command, String text) {
        try {
            return switch (command) {
                case "script" -> lines(ScriptParts.of(text).stream().map(part -> "[" + part + "]"));
                case "warnings" -> warnings(Parser.read(text).warnings());
                default -> SyntaxText.of(Parser.parse(text));
            };
        } catch (StatusException e) {
            Issue issue = e.issues().getFirst();
            return place(issue) + e.status() + " " + issue.message();
        }
    }

    private static String warnings(List<Issue> issues) {
        return issues.isEmpty()
                ? "none"
                : lines(issues.stream().map(issue -> place(issue) + issue.message()));
    }

    private static String lines(Stream<String> lines) {
        return lines.collect(Collectors.joining("\n"));
    }

    private static String place(Issue issue) {
        return issue.position().map(p -> p.row() + ":" + p.column() + " ").orElse("");
    }

    @Test
    void aTextOverTheLimitIsRefusedBeforeItIsRead() {
        String text = "SELECT 1; -- " + "x".repeat(Parser.MAX_TEXT_LENGTH);
        assertThatThrownBy(() -> Parser.parse(text))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.BAD_REQUEST));
    }

    @Test
    void aTextMayBeEmpty() {
        assertThat(Parser.parse("")).isEmpty();
        assertThat(Parser.parse(" -- nothing here\n ; ")).isEmpty();
    }

    @Test
    void nestingIsBoundedHoweverItIsWritten() {
        int times = 20_000;
        assertTooDeep("SELECT " + "(".repeat(times) + "1" + ")".repeat(times));
        assertTooDeep("SELECT " + "[".repeat(times) + "]".repeat(times));
        assertTooDeep("SELECT " + "- ".repeat(times) + "1");
        assertTooDeep("SELECT " + "NOT ".repeat(times) + "true");
        assertTooDeep("SELECT 1" + " + 1".repeat(times));
        assertTooDeep("SELECT 1" + " ?? 1".repeat(times));
        assertTooDeep("SELECT a" + ".a".repeat(times));
        assertTooDeep("SELECT 1" + " = 1".repeat(times));
        assertTooDeep("SELECT " + "f(".repeat(times));
        assertTooDeep("SELECT " + "CASE ".repeat(times));
        assertTooDeep("SELECT * FROM " + "(SELECT * FROM ".repeat(5_000) + "t");
        assertTooDeep("SELECT 1" + " UNION SELECT 1".repeat(5_000));
        assertTooDeep("SELECT * FROM t" + " CROSS JOIN t".repeat(5_000));
        assertTooDeep("DECLARE $x AS " + "List<".repeat(times) + "Int32");
        assertTooDeep("EXPLAIN ".repeat(10_000) + "SELECT 1");
        assertTooDeep("SELECT " + "($x) -> ".repeat(10_000) + "1");
        assertTooDeep("SELECT " + "($x) -> (".repeat(10_000) + "1");
    }

    private static void assertTooDeep(String text) {
        assertThatThrownBy(() -> Parser.parse(text))
                .as(text.substring(0, 40))
                .isInstanceOf(StatusException.class);
    }

    @Test
    void ordinaryNestingIsNotTooDeep() {
        int times = 100;
        assertThat(Parser.parse("SELECT " + "(".repeat(times) + "1" + ")".repeat(times)))
                .hasSize(1);
        assertThat(Parser.parse("SELECT 1" + " + 1".repeat(1000))).hasSize(1);
    }

    @Test
    void thousandsOfAlternativesAreFlat() {
        String text = "SELECT * FROM t WHERE k = 0" + " OR k = 1".repeat(9_000);
        assertThat(Parser.parse(text)).hasSize(1);
    }
}
