package io.cleave.yt.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.MemoryDatabase;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Results;
import io.cleave.query.TxControl;
import io.cleave.testkit.DataDriven;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `select_rows` and `explain_query` with their options, from the files in testdata/ytql/commands.
class QueryCommandsTest {
    /// Every query reads the newest rows.
    private static final QuerySnapshots NEWEST =
            new QuerySnapshots() {
                @Override
                public <T> T reading(CommandCall call, Function<Optional<Transaction>, T> work) {
                    return work.apply(Optional.empty());
                }
            };

    private MemoryDatabase memory = new MemoryDatabase();
    private List<Command> commands = commands();

    private List<Command> commands() {
        return QueryCommands.all(
                memory.database(),
                (_, path) -> {
                    if (path.equals("//link")) {
                        return "/local/t";
                    }
                    throw new YtException(YtCodes.RESOLVE_ERROR, "Error resolving path " + path);
                },
                NEWEST);
    }

    @AfterEach
    void close() {
        memory.close();
    }

    @TestFactory
    Stream<DynamicTest> commandsAnswer() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ytql/commands"), this::run);
    }

    private String run(DataDriven.Command command) {
        String input = String.join("\n", command.input());
        return switch (command.name()) {
            case "database" -> {
                memory.close();
                memory = new MemoryDatabase();
                commands = commands();
                yield "empty";
            }
            case "yql" -> {
                yql(memory.database(), input);
                yield "ok";
            }
            case "select" -> {
                try {
                    String answer = FakeCall.run(commands.getFirst(), input);
                    FakeCall.of(input)
                            .runsPrompt(commands.getFirst())
                            .ifPresent(prompt -> assertThat(prompt).isEqualTo(answer));
                    yield answer;
                } catch (StatusException failed) {
                    // The proxy makes an error of it.
                    yield failed.getMessage();
                }
            }
            case "prompt" ->
                    FakeCall.of(input).runsPrompt(commands.getFirst()).orElse("needs a thread");
            case "statistics" -> {
                FakeCall call = FakeCall.of(input);
                commands.getFirst().run(call);
                String times = "(_time(?:_aggr)?\"=)(\\{[^}]*\\}|[-0-9.e]+)";
                yield call.rowsAnswered()
                        + "\n"
                        + call.responseParameters().replaceAll(times, "$1T").replace(";", ";\n");
            }
            case "explain" ->
                    FakeCall.run(commands.getLast(), input)
                            .replace(";\"", ";\n\"")
                            .replaceAll(";([a-z_]+=)", ";\n$1");
            default -> throw new IllegalArgumentException(command.name());
        };
    }

    private static void yql(Database database, String text) {
        database.run(
                database.as(Caller.IN_PROCESS).newSession(),
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(new SystemEnv())),
                new Nothing());
    }

    private static final class Nothing implements Results {
        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {}

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }

    /// Rows that are kept for statistics are limited; then the answer goes without them.
    @Test
    void aLongAnswerHasNoStatistics() {
        yql(memory.database(), "CREATE TABLE t (k Int64, PRIMARY KEY (k))");
        List<String> rows = new ArrayList<>();
        for (int key = 0; key <= SelectAnswer.MAX_KEPT_ROWS; key++) {
            rows.add("(" + key + ")");
        }
        yql(memory.database(), "UPSERT INTO t (k) VALUES " + String.join(",", rows));
        FakeCall few = FakeCall.of("{query=\"k from [//t] limit 10\";enable_statistics=%true}");
        commands.getFirst().run(few);
        assertThat(few.responseParameters()).contains("rows_read");
        FakeCall many = FakeCall.of("{query=\"k from [//t]\";enable_statistics=%true}");
        commands.getFirst().run(many);
        assertThat(many.responseParameters()).isEqualTo("{}");
        assertThat(many.rowsAnswered().lines()).hasSize(rows.size());
    }

    /// Otherwise each value would have to be compiled.
    @Test
    void onePlanServesAllValuesOfAPlaceholder() {
        yql(memory.database(), "CREATE TABLE t (k Int64, v Utf8, PRIMARY KEY (k))");
        yql(memory.database(), "UPSERT INTO t (k, v) VALUES (1, \"a\"), (2, \"b\")");
        List<String> compiled = new ArrayList<>();
        for (String values : List.of("k=1;l=[1]", "k=2;l=[7;2]", "k=2;l=[2.0]", "k=3;l=[3]")) {
            FakeCall call =
                    FakeCall.of(
                            "{query=\"k from [//t] where k = {k} and k in {l}\";"
                                    + "enable_statistics=%true;placeholder_values={"
                                    + values
                                    + "}}");
            commands.getFirst().run(call);
            boolean cached =
                    Pattern.compile("\"codegen_time\"=0(\\.0*)?;")
                            .matcher(call.responseParameters())
                            .find();
            compiled.add(values + (cached ? " cached" : " compiled"));
        }
        assertThat(compiled)
                .containsExactly(
                        "k=1;l=[1] compiled",
                        "k=2;l=[7;2] cached",
                        "k=2;l=[2.0] compiled",
                        "k=3;l=[3] cached");
    }
}
