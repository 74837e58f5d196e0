package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Paths and what they mean, as text.
class YPathTest {
    @TestFactory
    Stream<DynamicTest> paths() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ypath"), YPathTest::run);
    }

    private static String run(DataDriven.Command command) {
        return command.input().stream()
                .map(line -> answer(command.name(), line))
                .collect(Collectors.joining("\n"));
    }

    private static String answer(String command, String line) {
        try {
            return command.equals("rich")
                    ? RichPath.parse(Bytes.utf8(line)).toYson().print()
                    : shown(YPath.parse(line));
        } catch (YtException e) {
            return "error " + e.error().code() + ": " + e.getMessage();
        }
    }

    private static String shown(YPath path) {
        var text = new StringBuilder(path.id().map(id -> "#" + id).orElse("root"));
        text.append(path.isRootSuppressed() ? "&" : "");
        for (YPath.Step step : path.steps()) {
            text.append(" child ").append(YPath.literal(step.key()));
            text.append(step.isSuppressed() ? "&" : "");
        }
        path.attribute()
                .ifPresent(
                        keys ->
                                text.append(" attribute")
                                        .append(
                                                keys.stream()
                                                        .map(key -> " " + YPath.literal(key))
                                                        .collect(Collectors.joining())));
        return text.append(path.isAll() ? " all" : "").toString();
    }
}
