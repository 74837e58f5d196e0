package io.cleave.ytql;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/// What the parser makes of texts, from the files in testdata/ytql/parse. An expression is printed
/// back with parentheses around every operand, which shows its structure.
class YtParserTest {
    @TestFactory
    Stream<DynamicTest> textsAreParsed() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ytql/parse"), YtParserTest::run);
    }

    private static String run(Command command) {
        StringBuilder answers = new StringBuilder();
        int version = Integer.parseInt(command.args().getOrDefault("syntax", "1"));
        for (String line : command.input()) {
            answers.append(
                            switch (command.name()) {
                                case "expression" -> expression(line, version);
                                case "query" -> query(line, version);
                                default -> throw new IllegalArgumentException(command.name());
                            })
                    .append('\n');
        }
        return answers.toString();
    }

    private static String expression(String text, int version) {
        try {
            YtQuery query =
                    YtParser.query(
                            text + " from t",
                            version,
                            Map.of("p", new YtPlaceholder.Text("1, \"x\"")));
            return YtExpressionText.tuple(query.items().orElseThrow());
        } catch (YtException e) {
            return printed(e.error());
        }
    }

    private static String query(String text, int version) {
        try {
            var _ = YtParser.query(text, version, Map.of());
            return "ok";
        } catch (YtException e) {
            return printed(e.error());
        }
    }

    private static String printed(YtError error) {
        var text = new StringBuilder();
        text.append(error.code()).append(": ").append(error.message());
        error.attributes()
                .members()
                .forEach(
                        (name, value) ->
                                text.append("; ")
                                        .append(name.utf8())
                                        .append('=')
                                        .append(
                                                YsonWriter.write(value, YsonWriter.Format.TEXT)
                                                        .utf8()));
        return text.toString();
    }
}
