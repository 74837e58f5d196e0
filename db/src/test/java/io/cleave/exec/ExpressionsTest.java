package io.cleave.exec;

import io.cleave.analysis.ExpressionAnalyzer;
import io.cleave.analysis.Scope;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.call.Dialect;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.Typed;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Parser;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs `src/test/testdata/expressions`: what an expression's type and value are, or why there is
/// none.
///
/// - `eval`: each line is an expression. A line `SET $x = …` makes a parameter of it (or keeps it,
///   when it is a lambda or a call of a module), a line `COLUMN x = …` a column; both say nothing.
/// - `aggregate name=SUM`: the line is a list of tuples, one for each row.
/// - `convert type=Utf8?`: each line is a value on its way into a column `c`.
class ExpressionsTest {
    /// 2021-01-02T03:04:05.678901Z
    private static final long NOW_MICROS = 1_609_556_645_678_901L;

    private final ExpressionAnalyzer analyzer = new ExpressionAnalyzer();

    @TestFactory
    Stream<DynamicTest> expressions() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/expressions"), this::run);
    }

    private String run(Command command) {
        return switch (command.name()) {
            case "eval" -> eval(command);
            case "aggregate" -> aggregate(command);
            case "convert" -> convert(command);
            default -> "unknown command " + command.name();
        };
    }

    private String eval(Command command) {
        boolean ansi = !command.args().getOrDefault("in", "ansi").equals("legacy");
        var scope = new TestScope(ansi ? Dialect.QUERY_SERVICE : Dialect.TABLE_SERVICE);
        var out = new ArrayList<String>();
        for (String line : command.input()) {
            if (line.startsWith("COLUMN ")) {
                int equal = line.indexOf('=');
                scope.column(line.substring(7, equal).strip(), line.substring(equal + 1));
            } else if (line.startsWith("SET ")) {
                int equal = line.indexOf('=');
                scope.define(line.substring(4, equal).strip(), line.substring(equal + 1));
            } else {
                out.add(line + " => " + outcome(() -> scope.print(scope.analyze(line))));
            }
        }
        return String.join("\n", out);
    }

    private String aggregate(Command command) {
        return command.input().stream()
                .map(line -> outcome(() -> aggregate(command, line)))
                .collect(Collectors.joining("\n"));
    }

    private String aggregate(Command command, String rows) {
        var scope = new TestScope(Dialect.QUERY_SERVICE);
        Typed list = scope.analyze(rows);
        var row = (Type.Tuple) ((Type.ListOf) list.type()).item();
        AggregateFunction function =
                Aggregates.find(
                        new Position(1, 1),
                        command.args().getOrDefault("name", ""),
                        row.items(),
                        command.args().containsKey("distinct"));
        var accumulator = function.begin();
        for (Value item : ((Value.Items) scope.eval(list)).items()) {
            accumulator.add(((Value.Items) item).items().toArray(Value[]::new));
        }
        return "%s (grouped %s) %s"
                .formatted(
                        function.type().text(),
                        function.groupedType().text(),
                        TextForm.print(function.type(), accumulator.result()));
    }

    private String convert(Command command) {
        var scope = new TestScope(Dialect.QUERY_SERVICE);
        // The target is written as the type of a value.
        Type target =
                scope.analyze("Nothing(" + command.args().getOrDefault("type", "") + ")").type();
        boolean literal = !command.args().containsKey("expression");
        return command.input().stream()
                .map(
                        line ->
                                outcome(
                                        () ->
                                                scope.print(
                                                        analyzer.convert(
                                                                scope.analyze(line),
                                                                target,
                                                                "c",
                                                                literal))))
                .collect(Collectors.joining("\n"));
    }

    private interface Step {
        String run();
    }

    private static String outcome(Step step) {
        try {
            return step.run();
        } catch (StatusException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private final class TestScope implements Scope {
        private final Dialect dialect;
        private final Map<String, Type> types = new HashMap<>();
        private final Map<String, Value> values = new HashMap<>();
        private final Map<String, Expression.Lambda> lambdas = new HashMap<>();
        private final Map<String, Expression.Call> partialCalls = new HashMap<>();
        private final List<String> columns = new ArrayList<>();
        private final List<Type> columnTypes = new ArrayList<>();
        private final List<Value> row = new ArrayList<>();

        TestScope(Dialect dialect) {
            this.dialect = dialect;
        }

        Typed analyze(String text) {
            return analyzer.analyze(parse(text), this);
        }

        private Expression parse(String text) {
            var statement = (Statement.Run) Parser.parse("SELECT " + text).getFirst();
            var select = (Query.Select) statement.query();
            return ((Query.Item.Column) select.items().getFirst()).value();
        }

        Value eval(Typed typed) {
            var run = new RunContext(values, () -> NOW_MICROS, new SplittableRandom(1));
            return Evaluator.compile(typed).eval(row.toArray(Value[]::new), run);
        }

        String print(Typed typed) {
            return typed.type().text() + " " + TextForm.print(typed.type(), eval(typed));
        }

        void define(String name, String text) {
            if (parse(text) instanceof Expression.Lambda lambda) {
                lambdas.put(name, lambda);
                return;
            }
            if (parse(text) instanceof Expression.Call call && call.module().isPresent()) {
                partialCalls.put(name, call);
                return;
            }
            Typed value = analyze(text);
            types.put(name, value.type());
            values.put(name, eval(value));
        }

        void column(String name, String text) {
            Typed value = analyze(text);
            columns.add(name);
            columnTypes.add(value.type());
            row.add(eval(value));
        }

        @Override
        public Dialect dialect() {
            return dialect;
        }

        @Override
        public Typed column(Position at, Optional<String> source, String name) {
            int index = columns.indexOf(name);
            if (index < 0) {
                throw new StatusException(
                        Status.GENERIC_ERROR, "Column reference '" + name + "'", at);
            }
            return new Typed.Input(columnTypes.get(index), index);
        }

        @Override
        public Typed named(Position at, String name) {
            Type type = types.get(name);
            if (type == null && partialCalls.containsKey(name)) {
                return analyzer.analyze(partialCalls.get(name), this);
            }
            if (type == null) {
                throw new StatusException(Status.GENERIC_ERROR, "Unknown name: " + name, at);
            }
            return new Typed.Parameter(type, name);
        }

        @Override
        public Optional<ScopedLambda> lambda(String name) {
            return Optional.ofNullable(lambdas.get(name)).map(l -> new ScopedLambda(l, this));
        }

        @Override
        public Optional<Expression.Call> partialCall(String name) {
            return Optional.ofNullable(partialCalls.get(name));
        }

        @Override
        public Typed aggregate(Expression.Call call) {
            throw refused(call.at(), "aggregate");
        }

        @Override
        public Typed window(Expression.Call call) {
            throw refused(call.at(), "window");
        }

        @Override
        public Typed row(Position at) {
            throw refused(at, "row");
        }

        @Override
        public Typed subQuery(Expression.SubQuery query) {
            throw refused(query.at(), "subquery");
        }

        @Override
        public Typed exists(Expression.Exists query) {
            throw refused(query.at(), "exists");
        }

        @Override
        public Typed inSubQuery(
                Position at, Typed operand, Expression.SubQuery query, boolean negated) {
            throw refused(at, "subquery");
        }

        private StatusException refused(Position at, String what) {
            return new StatusException(Status.GENERIC_ERROR, what + " here", at);
        }
    }
}
