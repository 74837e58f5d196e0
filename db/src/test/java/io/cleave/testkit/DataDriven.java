package io.cleave.testkit;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/// Runs a text file of commands and the output each must give:
///
/// ```
/// # a comment
/// command key=value key=value
/// input line
/// ----
/// expected output
/// ```
///
/// A case ends at a blank line. With `-Drewrite` the actual output replaces the expected one; read
/// the diff before committing it.
public final class DataDriven {
    /// One command of a file; `line` is where it stands, for messages.
    public record Command(
            String name, Map<String, String> args, List<String> input, String expected, int line) {
        public long number(String key) {
            return Long.parseLong(args.getOrDefault(key, "0"));
        }
    }

    private static final boolean REWRITE = System.getProperty("rewrite") != null;

    private DataDriven() {}

    public static Stream<DynamicTest> run(Path dir, Function<Command, String> handler)
            throws IOException {
        return run(dir, handler, REWRITE);
    }

    /// As [#run], for a second way to the same answers: it never rewrites them.
    public static Stream<DynamicTest> check(Path dir, Function<Command, String> handler)
            throws IOException {
        return run(dir, handler, false);
    }

    private static Stream<DynamicTest> run(
            Path dir, Function<Command, String> handler, boolean rewrite) throws IOException {
        try (var files = Files.list(dir)) {
            return files.sorted().toList().stream()
                    .map(
                            f ->
                                    DynamicTest.dynamicTest(
                                            f.getFileName().toString(),
                                            f.toUri(),
                                            () -> runFile(f, handler, rewrite)));
        }
    }

    /// Runs one file.
    public static void runFile(Path file, Function<Command, String> handler) throws IOException {
        runFile(file, handler, REWRITE);
    }

    private static void runFile(Path file, Function<Command, String> handler, boolean rewrite)
            throws IOException {
        var rewritten = new StringBuilder();
        List<String> lines = Files.readAllLines(file);
        int at = 0;
        while (at < lines.size()) {
            String line = lines.get(at);
            if (line.isBlank() || line.startsWith("#")) {
                rewritten.append(line).append('\n');
                at++;
                continue;
            }
            int start = at;
            List<String> head = new ArrayList<>();
            while (!lines.get(at).equals("----")) {
                head.add(lines.get(at++));
            }
            at++;
            List<String> expected = new ArrayList<>();
            while (at < lines.size() && !lines.get(at).isBlank()) {
                expected.add(lines.get(at++));
            }
            Command command = parse(head, String.join("\n", expected), start + 1);
            String actual = handler.apply(command).strip();
            head.forEach(h -> rewritten.append(h).append('\n'));
            rewritten.append("----\n").append(actual).append('\n');
            if (!rewrite) {
                Assertions.assertEquals(
                        command.expected(), actual, () -> file + ":" + command.line());
            }
        }
        if (rewrite) {
            Files.writeString(file, rewritten);
        }
    }

    private static Command parse(List<String> head, String expected, int line) {
        String[] words = head.getFirst().split("\\s+");
        Map<String, String> args = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int eq = words[i].indexOf('=');
            args.put(words[i].substring(0, eq), words[i].substring(eq + 1));
        }
        return new Command(
                words[0], args, List.copyOf(head.subList(1, head.size())), expected, line);
    }
}
