package io.cleave.yt.tree;

import io.cleave.testkit.DataDriven;
import io.cleave.tree.PathEntry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Commands on the tree as text: a command, its parameters, and its input after `<`. Ids are shown
/// as `$1`, `$2`, in the order in which they are answered, and may be used so in later commands.
class TreeCommandsTest {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{1,8}(-[0-9a-f]{1,8}){3}");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

    private TestTree tree = new TestTree(3);
    private final List<String> ids = new ArrayList<>();

    @AfterEach
    void close() {
        tree.close();
    }

    @TestFactory
    Stream<DynamicTest> commands() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/yttree"), this::run);
    }

    private String run(DataDriven.Command command) {
        return switch (command.name()) {
            case "new" -> {
                tree.close();
                tree = new TestTree(3);
                ids.clear();
                yield "ok";
            }
            case "pass" -> {
                tree.pass(Duration.ofMillis(command.number("millis")));
                yield "ok";
            }
            case "restart" -> {
                tree.restart();
                yield "ok";
            }
            case "ydb-list" ->
                    tree.store().tree().list(command.args().get("path")).stream()
                            .map(PathEntry::name)
                            .collect(Collectors.joining(" ", "names: ", ""));
            case "ydb-mkdir" -> {
                tree.store().tree().makeDirectory(command.args().get("path"));
                yield "ok";
            }
            case "ydb-rmdir" -> {
                try {
                    tree.store().tree().removeDirectory(command.args().get("path"));
                    yield "ok";
                } catch (io.cleave.base.StatusException e) {
                    yield e.status() + ": " + e.getMessage();
                }
            }
            case "ydb-drop" -> {
                tree.store().tree().dropTable(command.args().get("path"), false);
                yield "ok";
            }
            default -> call(command);
        };
    }

    private String call(DataDriven.Command command) {
        String parameters = expand(String.join("\n", inputs(command, false)));
        List<String> input = inputs(command, true);
        Optional<String> value =
                input.isEmpty() ? Optional.empty() : Optional.of(expand(String.join("\n", input)));
        return shorten(tree.run(command.name(), parameters, value));
    }

    private static List<String> inputs(DataDriven.Command command, boolean values) {
        return command.input().stream()
                .filter(line -> line.startsWith("<<") == values)
                .map(line -> values ? line.substring(2).strip() : line)
                .toList();
    }

    private String expand(String text) {
        String expanded = text;
        for (int index = ids.size(); index > 0; index--) {
            expanded = expanded.replace("$" + index, ids.get(index - 1));
        }
        return expanded;
    }

    private String shorten(String text) {
        Matcher found = ID.matcher(text);
        var shortened = new StringBuilder();
        while (found.find()) {
            String id = found.group();
            if (!id.equals("0-0-0-0") && !ids.contains(id)) {
                ids.add(id);
            }
            String shown = ids.contains(id) ? "$" + (ids.indexOf(id) + 1) : id;
            found.appendReplacement(shortened, Matcher.quoteReplacement(shown));
        }
        found.appendTail(shortened);
        return TIME.matcher(shortened)
                .replaceAll("TIME")
                .replaceAll("\"revision\"=\\d+u", "\"revision\"=N")
                .replaceAll("\"([a-zA-Z_][a-zA-Z0-9_]*)\"", "$1");
    }
}
