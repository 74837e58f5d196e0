package io.cleave.yt.table.row;

import io.cleave.schema.MountState;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Commands on rows as text, see `testdata/yt/rows`. The second run splits, merges and moves the
/// tablets before every command.
class RowTextsTest {
    private static final Path TEXTS = Path.of("src/test/testdata/yt/rows");

    @TestFactory
    Stream<DynamicTest> onOneCell() throws IOException {
        var texts = new RowTexts(false);
        return DataDriven.run(TEXTS, texts::run);
    }

    @TestFactory
    Stream<DynamicTest> whileTabletsSplitAndMove() throws IOException {
        var texts = new RowTexts(true);
        return DataDriven.check(TEXTS, texts::run);
    }

    /// A file begins with `new`.
    private static final class RowTexts {
        private final boolean shakes;
        private final TreeSet<String> tables = new TreeSet<>();
        private RowBench bench;

        RowTexts(boolean shakes) {
            this.shakes = shakes;
        }

        /// A command without an answer is answered with `ok`, since an empty answer ends a case.
        String run(DataDriven.Command command) {
            String answer = answer(command);
            return answer.isBlank() ? "ok" : answer;
        }

        private String answer(DataDriven.Command command) {
            if (command.name().equals("new")) {
                if (bench != null) {
                    bench.close();
                }
                bench = new RowBench(new TestStore(shakes ? 3 : 1));
                tables.clear();
                return "";
            }
            if (shakes) {
                tables.forEach(bench::shake);
            }
            List<String> input = command.input();
            return switch (command.name()) {
                case "yql" -> {
                    String text = String.join("\n", input);
                    String answer = bench.yql(text);
                    if (text.startsWith("CREATE TABLE ")) {
                        tables.add(text.split(" ")[2]);
                    }
                    yield answer;
                }
                case "locks" -> {
                    bench.lock(input.getFirst(), command.args());
                    yield "";
                }
                case "state" -> {
                    String[] words = input.getFirst().split(" ");
                    bench.state(words[0], MountState.valueOf(words[1].toUpperCase(Locale.ROOT)));
                    yield "";
                }
                case "history" -> {
                    String[] words = input.getFirst().split(" ");
                    bench.keepHistory(words[0], Long.parseLong(words[1]));
                    yield "";
                }
                case "remember" -> {
                    bench.remember(input.getFirst());
                    yield "";
                }
                case "erase" -> {
                    bench.eraseAll(input.getFirst());
                    yield "";
                }
                case "compact" -> {
                    bench.compact(input.getFirst());
                    yield "";
                }
                case "start" -> {
                    bench.start(input.getFirst());
                    yield "";
                }
                case "commit" -> bench.commit(input.getFirst());
                case "abort" -> bench.abort(input.getFirst());
                case "ping" -> bench.ping(input.getFirst());
                case "restart" -> {
                    bench.restart();
                    yield "";
                }
                default ->
                        bench.run(
                                command.name(),
                                input.getFirst(),
                                String.join("", input.subList(1, input.size())));
            };
        }
    }
}
