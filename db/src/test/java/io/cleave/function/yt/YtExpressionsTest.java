package io.cleave.function.yt;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
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
        return DataDriven.run(Path.of("src/test/testdata/ytfunctions"), YtExpressionsTest::run);
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
                    Value value = YtEvaluation.value(typed, reader.columnTypes(), reader.row());
                    return YtType.text(expression.types())
                            + (typed.type().isOptional() ? "? " : " ")
                            + YtEvaluation.print(typed.type(), value);
                });
    }

    /// All rows have arguments of the same types as the first.
    private static String aggregate(Command command) {
        var operators = new YtOperators(YtOperators.NullRelations.LEAST);
        String name = command.args().getOrDefault("name", "");
        List<YtType> types = new ArrayList<>();
        Accumulator accumulator = null;
        Type result = Type.Unit.NULL;
        String possible = "";
        for (String line : command.input()) {
            var reader = new YtExpressionReader(line, operators);
            List<UntypedExpression> arguments = reader.list();
            if (accumulator == null) {
                YtFunctions.Aggregation call = YtFunctions.aggregate(name, arguments, line);
                possible = YtType.text(call.types());
                AggregateCall made = call.as(call.types().iterator().next());
                made.arguments().forEach(a -> types.add(YtType.of(a.type())));
                accumulator = made.function().begin();
                result = made.type();
            }
            var row = new Value[arguments.size()];
            for (int index = 0; index < row.length; index++) {
                Typed typed = arguments.get(index).as(types.get(index));
                row[index] = YtEvaluation.value(typed, reader.columnTypes(), reader.row());
            }
            accumulator.add(row);
        }
        return possible + " " + YtEvaluation.print(result, accumulator.result());
    }
}
