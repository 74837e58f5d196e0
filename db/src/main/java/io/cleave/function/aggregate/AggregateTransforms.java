package io.cleave.function.aggregate;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.CallScope;
import io.cleave.function.call.Lists;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Errors;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;

/// Applies `AggregateTransformInput`, `AggregateTransformOutput` and `AggregateFlatten` to an
/// aggregate: lambdas on its input and output, and aggregation over the items of lists.
public final class AggregateTransforms {
    enum Kind {
        INPUT,
        OUTPUT,
        FLATTEN
    }

    /// One transformation. `lambda` is analyzed in the scope of its definition; for FLATTEN it is
    /// the factory expression itself.
    record Step(Kind kind, Expression lambda, CallScope scope) {}

    /// From the outermost to the innermost.
    private final List<Step> steps;

    /// The number of lambdas that enclose the aggregate.
    private final int depth;

    public AggregateTransforms(List<Step> steps, int depth) {
        this.steps = List.copyOf(steps);
        this.depth = depth;
    }

    boolean flatten() {
        return steps.stream().anyMatch(step -> step.kind() == Kind.FLATTEN);
    }

    /// Converts the value to the input of the aggregate. With FLATTEN the result is a list of
    /// inputs.
    public Typed input(Typed value) {
        Typed given = value;
        boolean flat = false;
        for (Step step : steps) {
            switch (step.kind()) {
                case INPUT -> given = flat ? mapped(step, given) : called(step, given);
                case FLATTEN -> {
                    if (flat || !(given.type().unwrapped() instanceof Type.ListOf)) {
                        throw Errors.type(
                                step.lambda().at(),
                                "Expected list in AggregateFlatten, but got: "
                                        + itemType(given, flat).text());
                    }
                    flat = true;
                }
                case OUTPUT -> {}
            }
        }
        return given;
    }

    /// Converts a list of values to the list of the aggregate's inputs, with lists flattened.
    public Typed inputs(Typed list) {
        Typed given = list;
        for (Step step : steps) {
            given =
                    switch (step.kind()) {
                        case INPUT -> mapped(step, given);
                        case FLATTEN -> flattened(step, given);
                        case OUTPUT -> given;
                    };
        }
        return given;
    }

    private static Typed flattened(Step step, Typed list) {
        Type item = ((Type.ListOf) list.type().unwrapped()).item();
        if (!(item instanceof Type.ListOf)) {
            throw Errors.type(
                    step.lambda().at(),
                    "Expected list in AggregateFlatten, but got: " + item.text());
        }
        return new Typed.Apply(
                list.type().isOptional() ? item.optional() : item,
                ScalarFunction.strict(
                        "AggregateFlatten",
                        a -> {
                            var items = new ArrayList<Value>();
                            for (Value part : Lists.items(a[0])) {
                                items.addAll(Lists.items(part));
                                ValueSizes.requireItems(items.size());
                            }
                            return Value.items(items);
                        }),
                List.of(list));
    }

    private static Type itemType(Typed value, boolean flat) {
        return flat && value.type().unwrapped() instanceof Type.ListOf(Type item)
                ? item
                : value.type();
    }

    /// Converts the result of the aggregate to the value that the query sees.
    public Typed output(Typed result) {
        Typed given = result;
        for (Step step : steps.reversed()) {
            given = step.kind() == Kind.OUTPUT ? called(step, given) : given;
        }
        return given;
    }

    private Typed called(Step step, Typed value) {
        return step.scope().applied(step.lambda(), depth - 1, List.of(value));
    }

    private Typed mapped(Step step, Typed list) {
        Type item = ((Type.ListOf) list.type().unwrapped()).item();
        var argument = new Typed.LambdaArgument(item, depth, 0);
        Typed body = step.scope().applied(step.lambda(), depth, List.of(argument));
        Type type = new Type.ListOf(body.type());
        return new Typed.ApplyLambdas(
                list.type().isOptional() ? type.optional() : type,
                LambdaFunction.strict(
                        "AggregateTransformInput",
                        (a, f, _) ->
                                Value.items(
                                        Lists.items(a[0]).stream()
                                                .map(each -> f[0].call(each))
                                                .toList())),
                List.of(list),
                List.of(new Typed.Lambda(depth, body)));
    }

    /// The aggregate for the given arguments, the first of which is a result of [#input].
    public AggregateFunction function(
            Position at, String name, List<Typed> arguments, boolean distinct) {
        if (!flatten()) {
            return Aggregates.of(at, name, arguments, distinct);
        }
        var item = ((Type.ListOf) arguments.getFirst().type().unwrapped()).item();
        List<Typed> ofItem = new ArrayList<>(arguments);
        ofItem.set(0, new Typed.Input(item, 0));
        AggregateFunction function = Aggregates.of(at, name, ofItem, distinct);
        // All lists of a group may be empty.
        return new Aggregates.Resolved(
                function.type(), function.type(), () -> new Flattened(function.begin()));
    }

    private record Flattened(Accumulator inner) implements Accumulator {
        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            for (Value item : Lists.items(arguments[0])) {
                Value[] given = arguments.clone();
                given[0] = item;
                inner.add(given);
            }
        }

        @Override
        public Value result() {
            return inner.result();
        }

        @Override
        public long keptBytes() {
            return inner.keptBytes();
        }
    }
}
