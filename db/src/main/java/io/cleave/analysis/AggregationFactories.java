package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `AGGREGATE_BY(value, AggregationFactory("name", parameters…))` is `name(value, parameters…)`. An
/// aggregate of several values gets them in a tuple.
final class AggregationFactories {
    private AggregationFactories() {}

    static boolean isAggregateBy(String name) {
        return Aggregates.plainName(name).equals("aggregateby");
    }

    static boolean isMulti(String name) {
        return Aggregates.plainName(name).equals("multiaggregateby");
    }

    /// The call that is meant; any other call is itself.
    static Expression.Call resolved(Expression.Call call, @Nullable Bindings bindings) {
        if (!isAggregateBy(call.name()) && !isMulti(call.name())) {
            return call;
        }
        if (call.arguments().size() != 2) {
            throw error(call.at(), call.name() + " requires a value and an AggregationFactory");
        }
        Expression factory = call.arguments().get(1).value();
        Bindings seen = bindings;
        while (factory instanceof Expression.NamedValue(Position at, String name)) {
            // Each definition sees those above it only, so this comes to an end.
            Bindings.Binding found =
                    Bindings.find(seen, name)
                            .filter(binding -> binding.item() < 0)
                            .orElseThrow(() -> error(at, "Unknown name: " + name));
            factory = found.value();
            seen = found.seen();
        }
        if (!(factory instanceof Expression.Call made)
                || !made.plainName().equals("aggregationfactory")
                || made.arguments().isEmpty()
                || !(made.arguments().getFirst().value()
                        instanceof Expression.Literal(_, _, Value.Binary(Bytes name)))) {
            throw error(factory.at(), "Expected AggregationFactory(\"name\", …) in AGGREGATE_BY");
        }
        List<Expression.Argument> arguments = new ArrayList<>();
        Expression given = call.arguments().getFirst().value();
        for (Expression value : isMulti(call.name()) ? List.of(given) : values(given)) {
            arguments.add(new Expression.Argument(Optional.empty(), value));
        }
        arguments.addAll(
                Bindings.written(made.arguments().subList(1, made.arguments().size()), seen));
        return new Expression.Call(
                call.at(),
                Optional.empty(),
                name.utf8(),
                arguments,
                call.distinct(),
                false,
                call.over());
    }

    private static List<Expression> values(Expression value) {
        return switch (value) {
            case Expression.TupleOf(_, List<Expression> items) -> items;
            case Expression.Call call when call.plainName().equals("astuple") ->
                    call.arguments().stream().map(Expression.Argument::value).toList();
            default -> List.of(value);
        };
    }

    private static StatusException error(Position at, String message) {
        return Errors.type(at, message);
    }
}
