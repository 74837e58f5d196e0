package io.cleave.exec;

import io.cleave.base.Issue;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.function.call.Dialect;
import io.cleave.plan.PlanRules;
import io.cleave.plan.Program;
import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.query.CompileOptions;
import io.cleave.query.Compiler;
import io.cleave.testkit.TestMemory;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Transaction;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtPlaceholder;
import io.cleave.ytql.YtQueryOptions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/// Runs texts against a store, by default a [FakeDatabase], and writes down what a client would
/// see.
///
/// Lines `param $name = expression` before a text are its parameters.
public final class QueryBench<S extends QueryStore> {
    private static final long NOW_MICROS = 1_700_000_000_000_000L;

    public final S database;
    private final Compiler compiler = new Compiler();
    private final ProgramRunner runner;
    private PlanRules rules = PlanRules.ALL;

    public QueryBench(S database) {
        this(database, RunOptions.DEFAULT);
    }

    public QueryBench(S database, RunOptions options) {
        this(database, options, Optional.empty());
    }

    public QueryBench(S database, RunOptions options, SpillFolder spill) {
        this(database, options, Optional.of(spill));
    }

    private QueryBench(S database, RunOptions options, Optional<SpillFolder> spill) {
        this.database = database;
        runner = new ProgramRunner(options, TestMemory.runs(), new SystemEnv(), 2, spill);
    }

    public static QueryBench<FakeDatabase> fake() {
        return new QueryBench<>(new FakeDatabase());
    }

    /// A text with its parameters.
    public record Input(String text, Map<String, Type> types, Map<String, Value> values) {}

    public Input input(List<String> lines) {
        Map<String, Type> types = new HashMap<>();
        Map<String, Value> values = new HashMap<>();
        List<String> text = new ArrayList<>();
        for (String line : lines) {
            if (!line.startsWith("param ")) {
                text.add(line);
                continue;
            }
            int equals = line.indexOf('=');
            String name = line.substring("param ".length(), equals).strip();
            String expression = line.substring(equals + 1).strip();
            Program program = compile("SELECT " + expression, Map.of());
            types.put(name, program.results().getFirst().columns().getFirst().type());
            run(
                    program,
                    database.begin(),
                    Map.of(),
                    new Sink() {
                        @Override
                        public void row(int resultIndex, Value[] row) {
                            values.put(name, row[0]);
                        }
                    });
        }
        return new Input(String.join("\n", text), types, values);
    }

    public Program compile(String text, Map<String, Type> types) {
        return compile(text, types, rules);
    }

    Program compile(String text, Map<String, Type> types, PlanRules by) {
        return compiler.compile(
                text, types, new CompileOptions("/local", Dialect.QUERY_SERVICE, by), database);
    }

    /// The same, with plans made by these rules.
    public QueryBench<S> with(PlanRules by) {
        rules = by;
        return this;
    }

    public void run(
            Program program,
            Transaction transaction,
            Map<String, Value> parameters,
            ResultSink sink) {
        run(program, transaction, parameters, sink, () -> {});
    }

    public void run(
            Program program,
            Transaction transaction,
            Map<String, Value> parameters,
            ResultSink sink,
            Runnable check) {
        runner.run(
                program,
                transaction,
                parameters,
                () -> NOW_MICROS,
                new SplittableRandom(1),
                "",
                sink,
                check);
    }

    /// Runs a program without parameters in a transaction, which stays open.
    public void run(Program program, Transaction transaction) {
        run(program, transaction, Map.of(), new Sink());
    }

    /// The same, with its results as text.
    public String printed(Program program, Transaction transaction) {
        var printed = new Printed();
        run(program, transaction, Map.of(), printed);
        return printed.text.toString();
    }

    /// The results as text, or the error.
    public String answer(List<String> lines) {
        try {
            Input input = input(lines);
            Program program = compile(input.text(), input.types());
            if (program.kind() == Program.Kind.SCHEME) {
                for (Program.Step step : program.steps()) {
                    if (step instanceof SchemeStep scheme) {
                        database.apply(scheme);
                    }
                }
                return "ok";
            }
            var printed = new Printed();
            boolean writes = program.kind() == Program.Kind.WRITE;
            Transaction transaction = writes ? database.begin() : database.beginReading();
            try {
                try {
                    run(program, transaction, input.values(), printed);
                } finally {
                    checkStreams(transaction);
                }
                if (!(transaction.commit() instanceof CommitOutcome.Committed)) {
                    return "not committed";
                }
            } finally {
                transaction.rollback();
            }
            return printed.text.isEmpty() ? "ok" : printed.text.toString();
        } catch (StatusException refused) {
            return refused.status()
                    + ": "
                    + refused.issues().stream()
                            .map(QueryBench::issue)
                            .collect(Collectors.joining("\n"));
        }
    }

    /// The rows of a query in YTsaurus' language, or its error. Lines `option name=value` before
    /// the text are its options; `option {name}=text` is the value of a placeholder.
    public String answerYt(List<String> lines) {
        try {
            Program program = compileYt(lines);
            var printed = new Printed();
            Transaction transaction = database.beginReading();
            try {
                run(program, transaction, Map.of(), printed);
            } finally {
                checkStreams(transaction);
                transaction.rollback();
            }
            return printed.text.toString();
        } catch (YtException refused) {
            return printed(refused.error());
        } catch (StatusException failed) {
            return failed.issues().stream()
                    .map(QueryBench::issue)
                    .collect(Collectors.joining("\n"));
        }
    }

    public Program compileYt(List<String> lines) {
        YtQueryOptions options = YtQueryOptions.DEFAULT;
        List<String> text = new ArrayList<>();
        Map<String, YtPlaceholder> placeholders = new HashMap<>();
        for (String line : lines) {
            if (!line.startsWith("option ")) {
                text.add(line);
                continue;
            }
            int equals = line.indexOf('=');
            String name = line.substring("option ".length(), equals).strip();
            String value = line.substring(equals + 1).strip();
            if (name.startsWith("{")) {
                placeholders.put(
                        name.substring(1, name.length() - 1), new YtPlaceholder.Text(value));
            }
            options =
                    new YtQueryOptions(
                            name.equals("syntax_version")
                                    ? Integer.parseInt(value)
                                    : options.syntaxVersion(),
                            options.canonicalNulls() || name.equals("use_canonical_null_relations"),
                            options.allowFullScan() && !name.equals("allow_full_scan"),
                            options.allowJoinWithoutIndex()
                                    || name.equals("allow_join_without_index"),
                            name.equals("range_expansion_limit")
                                    ? Long.parseLong(value)
                                    : options.rangeExpansionLimit(),
                            placeholders,
                            Map.of());
        }
        return compiler.compile(
                String.join("\n", text),
                Map.of(),
                CompileOptions.ofYt("/local", options, rules),
                database);
    }

    private static String printed(YtError error) {
        var text = new StringBuilder();
        text.append(error.code()).append(": ").append(error.message());
        error.attributes()
                .members()
                .forEach(
                        (name, value) -> {
                            text.append("\n  ").append(name.utf8()).append(" = ");
                            text.append(YsonWriter.write(value, YsonWriter.Format.TEXT).utf8());
                        });
        return text.toString();
    }

    /// Also of a query that failed.
    private static void checkStreams(Transaction transaction) {
        if (transaction instanceof FakeTransaction fake && fake.openStreams != 0) {
            throw new IllegalStateException("streams left open: " + fake.openStreams);
        }
    }

    private static String issue(Issue issue) {
        String code = issue.code() == 0 ? "" : "[" + issue.code() + "] ";
        String place = issue.position().map(at -> at.row() + ":" + at.column() + ": ").orElse("");
        return place + code + issue.message();
    }

    /// Ignores what it gets.
    public static class Sink implements ResultSink {
        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {}

        @Override
        public void end(int resultIndex) {}
    }

    private static final class Printed extends Sink {
        private final StringBuilder text = new StringBuilder();
        private List<Type> types = List.of();

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
                cells.add(cell(types.get(index), row[index]));
            }
            text.append(String.join(" | ", cells)).append('\n');
        }
    }

    private static String cell(Type type, Value value) {
        return value.isNull() ? "NULL" : TextForm.print(type, value);
    }
}
