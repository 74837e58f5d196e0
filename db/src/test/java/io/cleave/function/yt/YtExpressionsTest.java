package io.cleave.function.yt;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs `src/test/testdata/ytfunctions`.
///
/// - `eval [nulls=canonical]`: each line is an expression; the answer is its possible types and its
///   value as the first of them.
/// - `aggregate name=sum`: each line is a row, the arguments in parentheses; the answer is the
///   possible types and the result.
class YtExpressionsTest {
    @TestFactory
    Stream<DynamicTest> expressions() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/ytfunctions"), YtExpressionsTest::run);
    }

    private static String run(Command command) {
        return switch (command.name()) {
            case "eval" -> {
                var operators =
                        new YtOperators(
                                command.args().containsKey("nulls")
                                        ? YtOperators.NullRelations.CANONICAL
                                        : YtOperators.NullRelations.LEAST);
                yield command.input().stream()
                        .map(line -> line + " => " + eval(operators, line))
                        .collect(Collectors.joining("\n"));
            }
            case "aggregate" -> YtEvaluation.outcome(() -> aggregate(command));
            default -> "unknown command " + command.name();
        };
    }

    private static String eval(YtOperators operators, String line) {
        return YtEvaluation.outcome(
                () -> {
                    var reader = new YtExpressionReader(line, operators);
                    UntypedExpression expression = reader.whole();
                    Typed typed = expression.typed();
                    Value value =
                            YtEvaluation.value(typed, reader.columnTypes(), reader.row());
                    return YtType.text(expression.types())
                            + (typed.type().isOptional() ? "? " : " ")
                            + YtEvaluation.print(typed.type(), value);
                });
    }

    private static String aggregate(Command command) {
        var operators = new YtOperators(YtOperators.NullRelations.LEAST);
        Accumulator accumulator = null;
        String types = "";
        Typed first = null;
        List<Value[]> rows = new ArrayList<>();
        YtFunctions.Aggregation call = null;
        for (String line : command.input()) {
            var reader = new YtExpressionReader(line, operators);
            List<UntypedExpression> arguments = reader.list();
            call =
                    YtFunctions.aggregate(
                            command.args().getOrDefault("name", ""), arguments, "");
            types = YtType.text(call.types());
            var made = call.as(call.types().iterator().next());
            if (accumulator == null) {
                accumulator = made.function().begin();
                first = new Typed.Constant(made.type(), Value.Null.NULL);
            }
            Value[] row = reader.row();
            rows.add(
                    made.arguments().stream()
                            .map(a -> YtEvaluation.value(a, reader.columnTypes(), row))
                            .toArray(Value[]::new));
        }
        for (Value[] row : rows) {
            accumulator.add(row);
        }
        return types + " " + YtEvaluation.print(first.type(), accumulator.result());
    }
}
