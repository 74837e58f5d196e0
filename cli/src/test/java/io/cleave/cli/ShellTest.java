package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class ShellTest {
    private final ShellParser parser = new ShellParser();

    @Test
    void aStatementGoesOnUntilItsSemicolon() throws IOException {
        var typed = "SELECT 1\n  + 2;\nquit\n".getBytes(StandardCharsets.UTF_8);
        try (var terminal =
                new DumbTerminal(new ByteArrayInputStream(typed), new ByteArrayOutputStream())) {
            LineReader reader =
                    LineReaderBuilder.builder().terminal(terminal).parser(parser).build();

            assertThat(reader.readLine()).isEqualTo("SELECT 1\n  + 2;");
            assertThat(reader.readLine()).isEqualTo("quit");
        }
    }

    @Test
    void commandsNeedNoSemicolon() {
        for (String command : List.of("", "help", "QUIT", "quit;", "\\d", "tables")) {
            assertThat(parser.parse(command, 0, ParseContext.ACCEPT_LINE).line())
                    .isEqualTo(command);
        }
        assertThatThrownBy(() -> parser.parse("SELECT 1", 0, ParseContext.ACCEPT_LINE))
                .isInstanceOf(EOFError.class);
    }

    @Test
    void theWordAtTheCursorIsAWholePath() {
        String line = "SELECT * FROM `shows/ser` WHERE";

        ParsedLine parsed = parser.parse(line, line.indexOf("` WHERE"), ParseContext.COMPLETE);

        assertThat(parsed.word()).isEqualTo("shows/ser");
        assertThat(parsed.wordCursor()).isEqualTo("shows/ser".length());
    }

    @Test
    void wordsAreOfferedInTheCaseInWhichTheyAreTyped() {
        assertThat(offered("sel")).contains("select", "Utf8", "shows/series");
        assertThat(offered("SEL")).contains("SELECT", "Utf8").doesNotContain("select");
    }

    private List<String> offered(String typed) {
        List<Candidate> candidates = new ArrayList<>();
        var completer = new ShellCompleter(() -> List.of("shows/series"));
        completer.complete(
                LineReaderBuilder.builder().build(),
                parser.parse(typed, typed.length(), ParseContext.COMPLETE),
                candidates);
        return candidates.stream().map(Candidate::value).toList();
    }
}
