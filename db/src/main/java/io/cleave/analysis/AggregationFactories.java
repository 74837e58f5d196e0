package io.cleave.analysis;

import io.cleave.analysis.AggregateTransforms.Step;
import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `AGGREGATE_BY(value, AggregationFactory("name", parameters…))` is `name(value, parameters…)`. An
/// aggregate of several values gets them in a tuple.
final class AggregationFactories {
    /// The functions that make factories.
    static final List<String> NAMES =
            List.of(
                    "AggregationFactory",
                    "AggregateTransformInput",
                    "AggregateTransformOutput",
                    "AggregateFlatten");

    private AggregationFactories() {}

    static boolean isAggregateBy(String name) {
        return Aggregates.plainName(name).equals("aggregateby");
    }

    static boolean isMulti(String name) {
        return Aggregates.plainName(name).equals("multiaggregateby");
    }

    /// The call that is meant, and what was put around it.
    record Meant(Expression.Call call, List<Step> steps) {}

    /// What AGGREGATE_BY means; any other call is itself.
    static Meant meant(Expression.Call call, Scope scope) {
        if (!isAggregateBy(call.name()) && !isMulti(call.name())) {
            return new Meant(checked(call, scope), List.of());
        }
        if (call.arguments().size() != 2) {
            throw error(call.at(), call.name() + " requires a value and an AggregationFactory");
        }
        Factory factory = factory(call.arguments().get(1).value(), scope, "AGGREGATE_BY");
        List<Expression.Argument> arguments = new ArrayList<>();
        Expression given = call.arguments().getFirst().value();
        // A lambda gets what was given as a whole.
        boolean whole = isMulti(call.name()) || !factory.steps().isEmpty();
        for (Expression value : whole ? List.of(given) : values(given)) {
            arguments.add(new Expression.Argument(Optional.empty(), value));
        }
        arguments.addAll(factory.parameters());
        var named =
                new Expression.Call(
                        call.at(),
                        Optional.empty(),
                        factory.name(),
                        arguments,
                        call.distinct(),
                        false,
                        call.over());
        return new Meant(checked(named, scope), factory.steps());
    }

    /// With `PRAGMA CheckedOps` SUM is another function.
    private static Expression.Call checked(Expression.Call call, Scope scope) {
        String plain = Aggregates.plainName(call.name());
        boolean sums = plain.equals("sum") || plain.equals("sumif");
        return sums && call.module().isEmpty() && scope.dialect().has(Dialect.Option.CHECKED_OPS)
                ? call.withName("CHECKED_" + call.name())
                : call;
    }

    /// As [#meant], where nothing may be put around the aggregate.
    static Expression.Call resolved(Expression.Call call, Scope scope) {
        Meant meant = meant(call, scope);
        if (!meant.steps().isEmpty()) {
            throw Errors.unsupported(
                    call.at(), "A transformed AggregationFactory in " + call.name());
        }
        return meant.call();
    }

    /// An `AggregationFactory` with what was put around it, from the outermost inwards.
    record Factory(String name, List<Expression.Argument> parameters, List<Step> steps) {}

    /// The factory that the expression is or names; `where` is the function that wants it.
    static Factory factory(Expression expression, Scope scope, String where) {
        Expression factory = expression;
        Scope seen = scope;
        var steps = new ArrayList<Step>();
        while (true) {
            if (factory instanceof Expression.NamedValue(Position at, String name)) {
                // Each definition sees those above it only, so this comes to an end.
                Scope.ScopedExpression found =
                        seen.definition(name).orElseThrow(() -> error(at, "Unknown name: " + name));
                factory = found.expression();
                seen = found.scope();
                continue;
            }
            Optional<AggregateTransforms.Kind> kind = kind(factory);
            if (kind.isEmpty()) {
                break;
            }
            var around = (Expression.Call) factory;
            boolean flatten = kind.get() == AggregateTransforms.Kind.FLATTEN;
            if (around.arguments().size() != (flatten ? 1 : 2)) {
                throw error(
                        around.at(),
                        around.name()
                                + " requires an AggregationFactory"
                                + (flatten ? "" : " and a lambda"));
            }
            steps.add(new Step(kind.get(), around.arguments().getLast().value(), seen));
            factory = around.arguments().getFirst().value();
        }
        if (!(factory instanceof Expression.Call made)
                || !made.plainName().equals("aggregationfactory")
                || made.arguments().isEmpty()
                || !(made.arguments().getFirst().value()
                        instanceof Expression.Literal(_, _, Value.Binary(Bytes name)))) {
            throw error(factory.at(), "Expected AggregationFactory(\"name\", …) in " + where);
        }
        List<Expression.Argument> parameters = new ArrayList<>();
        for (Expression.Argument given : made.arguments().subList(1, made.arguments().size())) {
            parameters.add(new Expression.Argument(given.name(), written(given.value(), seen)));
        }
        return new Factory(name.utf8(), parameters, steps);
    }

    private static Optional<AggregateTransforms.Kind> kind(Expression factory) {
        if (!(factory instanceof Expression.Call call) || call.module().isPresent()) {
            return Optional.empty();
        }
        return switch (call.plainName()) {
            case "aggregatetransforminput" -> Optional.of(AggregateTransforms.Kind.INPUT);
            case "aggregatetransformoutput" -> Optional.of(AggregateTransforms.Kind.OUTPUT);
            case "aggregateflatten" -> Optional.of(AggregateTransforms.Kind.FLATTEN);
            default -> Optional.empty();
        };
    }

    /// A name that comes to a literal where it was written is that literal, whatever the name means
    /// elsewhere.
    private static Expression written(Expression expression, Scope scope) {
        Expression value = expression;
        Scope seen = scope;
        while (value instanceof Expression.NamedValue(_, String name)) {
            Optional<Scope.ScopedExpression> found = seen.definition(name);
            if (found.isEmpty()) {
                return expression;
            }
            value = found.get().expression();
            seen = found.get().scope();
        }
        return value instanceof Expression.Literal ? value : expression;
    }

    /// What an aggregate of several values gets of a tuple that is one value to all others.
    static List<Typed> spread(String name, Typed value) {
        String plain = Aggregates.plainName(name);
        boolean several =
                plain.endsWith("by") || plain.startsWith("corr") || plain.startsWith("covar");
        if (!several || !(value.type() instanceof Type.Tuple(List<Type> types))) {
            return List.of(value);
        }
        List<Typed> values = new ArrayList<>();
        for (Type type : types) {
            values.add(new Typed.ItemOf(type, value, values.size()));
        }
        return values;
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
