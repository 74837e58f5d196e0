package io.cleave.analysis;

import io.cleave.analysis.AggregateFunction.Accumulator;
import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;

/// What `AggregateTransformInput`, `AggregateTransformOutput` and `AggregateFlatten` put around an
/// aggregate: lambdas before and after it, and that it goes over the items of lists.
final class AggregateTransforms {
    enum Kind {
        INPUT,
        OUTPUT,
        FLATTEN
    }

    /// One of them; `lambda` is read in the scope where it was written, and the factory itself
    /// stands there for FLATTEN.
    record Step(Kind kind, Expression lambda, Scope scope) {}

    private final ExpressionAnalyzer analyzer;

    /// From the outermost inwards.
    private final List<Step> steps;

    /// How many lambdas the aggregate stands in.
    private final int depth;

    AggregateTransforms(ExpressionAnalyzer analyzer, List<Step> steps, int depth) {
        this.analyzer = analyzer;
        this.steps = List.copyOf(steps);
        this.depth = depth;
    }

    boolean flatten() {
        return steps.stream().anyMatch(step -> step.kind() == Kind.FLATTEN);
    }

    /// The value as the aggregate takes it: of one that flattens, a list of such.
    Typed input(Typed value) {
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

    /// The list of what the aggregate takes one by one, made of a list of such values.
    Typed inputs(Typed list) {
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
                            for (Value part : ListFunctions.items(a[0])) {
                                items.addAll(ListFunctions.items(part));
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

    /// What the aggregate has come to, as the query sees it.
    Typed output(Typed result) {
        Typed given = result;
        for (Step step : steps.reversed()) {
            given = step.kind() == Kind.OUTPUT ? called(step, given) : given;
        }
        return given;
    }

    private Typed called(Step step, Typed value) {
        return analyzer.applied(step.lambda(), step.scope(), depth - 1, List.of(value));
    }

    private Typed mapped(Step step, Typed list) {
        Type item = ((Type.ListOf) list.type().unwrapped()).item();
        var argument = new Typed.LambdaArgument(item, depth, 0);
        Typed body = analyzer.applied(step.lambda(), step.scope(), depth, List.of(argument));
        Type type = new Type.ListOf(body.type());
        return new Typed.ApplyLambdas(
                list.type().isOptional() ? type.optional() : type,
                LambdaFunction.strict(
                        "AggregateTransformInput",
                        (a, f, _) ->
                                Value.items(
                                        ListFunctions.items(a[0]).stream()
                                                .map(each -> f[0].call(each))
                                                .toList())),
                List.of(list),
                List.of(new Typed.Lambda(depth, body)));
    }

    /// The aggregate of these arguments, the first of which [#input] has made.
    AggregateFunction function(Position at, String name, List<Typed> arguments, boolean distinct) {
        if (!flatten()) {
            return Aggregates.of(at, name, arguments, distinct);
        }
        var item = ((Type.ListOf) arguments.getFirst().type().unwrapped()).item();
        List<Typed> ofItem = new ArrayList<>(arguments);
        ofItem.set(0, new Typed.Input(item, 0));
        AggregateFunction function = Aggregates.of(at, name, ofItem, distinct);
        // A group may have nothing but empty lists.
        return new Aggregates.Resolved(
                function.type(), function.type(), () -> new Flattened(function.begin()));
    }

    private record Flattened(Accumulator inner) implements Accumulator {
        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            for (Value item : ListFunctions.items(arguments[0])) {
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
        public int keptCount() {
            return inner.keptCount();
        }
    }
}
