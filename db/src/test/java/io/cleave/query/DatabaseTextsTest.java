package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.base.StatusException;
import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the front door answers, from the files in testdata/database: as they are; with a restart
/// before every text; and with memtables of a kilobyte while every tablet is split, and some go to
/// another of three cells, after every text. `query` is a text without a transaction, `transaction`
/// one in a serializable transaction that is committed with it, `stale` one that reads replicas
/// when they have all that was written, `explain` and `explain_script` one that is not run;
/// `recreate` says whether SHOW CREATE shows a text that makes the same again. A file that begins
/// with `database tablets=asked` tells how many tablets there are, or has none: they are left
/// alone.
class DatabaseTextsTest {
    private static final Path TEXTS = Path.of("src/test/testdata/database");

    @TestFactory
    Stream<DynamicTest> textsAnswer() throws IOException {
        return DataDriven.run(TEXTS, new Runner(Way.PLAIN)::run);
    }

    @TestFactory
    Stream<DynamicTest> withARestartBeforeEveryText() throws IOException {
        return DataDriven.check(TEXTS, new Runner(Way.RESTARTED)::run);
    }

    @TestFactory
    Stream<DynamicTest> withSplitsAndMovesAfterEveryText() throws IOException {
        return DataDriven.check(TEXTS, new Runner(Way.SHAKEN)::run);
    }

    private enum Way {
        PLAIN,
        RESTARTED,
        SHAKEN
    }

    private static final class Runner {
        private final Way way;
        private RealStore real = new RealStore(new TestStore(), false);

        /// Whether the file at hand is not for this way.
        private boolean left;

        Runner(Way way) {
            this.way = way;
        }

        String run(Command command) {
            String text = String.join("\n", command.input());
            if (command.name().equals("database")) {
                real.store.close();
                left = way == Way.SHAKEN && command.args().containsKey("tablets");
                real =
                        way == Way.SHAKEN
                                ? RealStore.tiny()
                                : new RealStore(new TestStore(2), false);
                return "empty";
            }
            if (left) {
                return command.expected();
            }
            // A blank line would end the answer.
            String answer = answer(command, text).replaceAll("\n\n(?=.)", "\n.\n");
            if (way == Way.SHAKEN) {
                real.shake();
            }
            return answer;
        }

        private String answer(Command command, String text) {
            return switch (command.name()) {
                case "query" -> answer(text, TxControl.IMPLICIT);
                case "script" -> answer(text, TxControl.IMPLICIT, Database::runScript);
                case "recreate" -> recreation(command.args().get("kind"), text);
                case "explain" -> explanation(text, Database::explain);
                case "explain_script" -> explanation(text, Database::explainScript);
                case "transaction" -> answer(text, TxControl.auto(Isolation.SERIALIZABLE));
                case "stale" -> answer(text, TxControl.auto(Isolation.STALE_READ_ONLY));
                default -> throw new IllegalArgumentException(command.name());
            };
        }

        private interface Front {
            RunSummary run(Database database, QueryText text, QueryRun run, Results results);
        }

        private String answer(String text, TxControl control) {
            return answer(text, control, Database::runAlone);
        }

        private String answer(String text, TxControl control, Front front) {
            if (way == Way.RESTARTED) {
                real.restart();
            }
            TestStore store = real.store;
            if (control.equals(TxControl.auto(Isolation.STALE_READ_ONLY))) {
                store.awaitReplicas();
            }
            var database = new Database(store.env(), store.tree(), store.transactions(), 1);
            var printed = new Printed();
            try {
                RunSummary summary =
                        front.run(
                                database,
                                QueryText.ofQueryService(text, Map.of()),
                                new QueryRun(
                                        control,
                                        Map.of(),
                                        ResultLimits.NONE,
                                        Cancellation.byDefault(store.env())),
                                printed);
                summary.issues().forEach(issue -> printed.text.append(whole(issue, "")));
            } catch (StatusException refused) {
                return refusal(refused);
            }
            return printed.text.isEmpty() ? "ok" : printed.text.toString();
        }

        /// Drops what SHOW CREATE shows, runs its text, and looks whether it is there again.
        private String recreation(String kind, String name) {
            String show = "SHOW CREATE " + kind + " " + name;
            String before = answer(show, TxControl.IMPLICIT);
            String[] cells = before.substring(before.indexOf('\n') + 1).split(" [|] ", 3);
            if (cells.length < 3) {
                return before;
            }
            String dropped = answer("DROP " + kind + " " + name, TxControl.IMPLICIT);
            String made = answer(cells[2], TxControl.IMPLICIT);
            String after = answer(show, TxControl.IMPLICIT);
            return before.equals(after)
                    ? dropped + ", " + made + ", the same"
                    : String.join("\n", before, dropped, made, after);
        }

        private String explanation(
                String text, BiFunction<Database, QueryText, Explanation> explaining) {
            TestStore store = real.store;
            var database = new Database(store.env(), store.tree(), store.transactions(), 1);
            try {
                Explanation explanation =
                        explaining.apply(database, QueryText.ofQueryService(text, Map.of()));
                return explanation.tree() + explanation.json();
            } catch (StatusException refused) {
                return refusal(refused);
            }
        }

        private static String refusal(StatusException refused) {
            return refused.status()
                    + ": "
                    + refused.issues().stream()
                            .map(Runner::issue)
                            .collect(Collectors.joining("\n"));
        }

        /// With what it is about, each level further in than the one around it.
        private static String whole(Issue issue, String indent) {
            var text = new StringBuilder(indent + issue(issue) + "\n");
            issue.causes().forEach(cause -> text.append(whole(cause, indent + "  ")));
            return text.toString();
        }

        private static String issue(Issue issue) {
            String code = issue.code() == 0 ? "" : "[" + issue.code() + "] ";
            String place =
                    issue.position().map(at -> at.row() + ":" + at.column() + ": ").orElse("");
            // Ids of paths are whatever was free.
            return place + code + issue.message().replaceAll("LocalPathId: \\d+", "LocalPathId: …");
        }
    }

    private static final class Printed implements Results {
        private final StringBuilder text = new StringBuilder();
        private List<Type> types = List.of();

        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {
            types = shape.columns().stream().map(ResultColumn::type).toList();
            text.append(
                            shape.columns().stream()
                                    .map(column -> column.name() + ":" + column.type().text())
                                    .collect(Collectors.joining(" | ")))
                    .append('\n');
        }

        @Override
        public void row(int resultIndex, Value[] row) {
            List<String> cells = new ArrayList<>();
            for (int index = 0; index < row.length; index++) {
                cells.add(
                        row[index].isNull()
                                ? "NULL"
                                : TextForm.print(types.get(index), row[index]));
            }
            text.append(String.join(" | ", cells)).append('\n');
        }

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }
}
