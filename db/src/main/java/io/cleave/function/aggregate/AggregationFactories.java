package io.cleave.function.aggregate;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.aggregate.AggregateTransforms.Step;
import io.cleave.function.call.CallScope;
import io.cleave.function.call.Dialect;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Rewrites `AGGREGATE_BY(value, AggregationFactory("name", parameters…))` to `name(value,
/// parameters…)`. An aggregate with several values takes them as a tuple.
public final class AggregationFactories {
    /// The functions that create factories.
    public static final List<String> NAMES =
            List.of(
                    "AggregationFactory",
                    "AggregateTransformInput",
                    "AggregateTransformOutput",
                    "AggregateFlatten");

    private AggregationFactories() {}

    static boolean isAggregateBy(String name) {
        return Aggregates.plainName(name).equals("aggregateby");
    }

    public static boolean isMulti(String name) {
        return Aggregates.plainName(name).equals("multiaggregateby");
    }

    /// The rewritten call, and the transformations around it.
    public record Meant(Expression.Call call, List<Step> steps) {}

    /// Rewrites AGGREGATE_BY and MULTI_AGGREGATE_BY; any other call is returned unchanged, except
    /// that `PRAGMA CheckedOps` may change its name.
    public static Meant meant(Expression.Call call, CallScope scope) {
        if (!isAggregateBy(call.name()) && !isMulti(call.name())) {
            return new Meant(checked(call, scope), List.of());
        }
        if (call.arguments().size() != 2) {
            throw error(call.at(), call.name() + " requires a value and an AggregationFactory");
        }
        Factory factory = factory(call.arguments().get(1).value(), scope, "AGGREGATE_BY");
        List<Expression.Argument> arguments = new ArrayList<>();
        Expression given = call.arguments().getFirst().value();
        // A lambda takes the value as a whole, even if it is a tuple.
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

    /// With `PRAGMA CheckedOps` SUM becomes CHECKED_SUM.
    private static Expression.Call checked(Expression.Call call, CallScope scope) {
        String plain = Aggregates.plainName(call.name());
        boolean sums = plain.equals("sum") || plain.equals("sumif");
        return sums && call.module().isEmpty() && scope.dialect().has(Dialect.Option.CHECKED_OPS)
                ? call.withName("CHECKED_" + call.name())
                : call;
    }

    /// Like [#meant], but refuses transformations around the aggregate.
    public static Expression.Call resolved(Expression.Call call, CallScope scope) {
        Meant meant = meant(call, scope);
        if (!meant.steps().isEmpty()) {
            throw Errors.unsupported(
                    call.at(), "A transformed AggregationFactory in " + call.name());
        }
        return meant.call();
    }

    /// An `AggregationFactory` with its transformations, from the outermost to the innermost.
    public record Factory(String name, List<Expression.Argument> parameters, List<Step> steps) {}

    /// The factory that the expression is, or that it names. `where` is the function that takes the
    /// factory, for error messages.
    public static Factory factory(Expression expression, CallScope scope, String where) {
        Expression factory = expression;
        CallScope seen = scope;
        var steps = new ArrayList<Step>();
        while (true) {
            if (factory instanceof Expression.NamedValue(Position at, String name)) {
                // Each definition sees only those above it, so this loop ends.
                CallScope.ScopedExpression found =
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

    /// Replaces a name that stands for a literal by that literal, since the name could have another
    /// meaning in another scope.
    private static Expression written(Expression expression, CallScope scope) {
        Expression value = expression;
        CallScope seen = scope;
        while (value instanceof Expression.NamedValue(_, String name)) {
            Optional<CallScope.ScopedExpression> found = seen.definition(name);
            if (found.isEmpty()) {
                return expression;
            }
            value = found.get().expression();
            seen = found.get().scope();
        }
        return value instanceof Expression.Literal ? value : expression;
    }

    /// The arguments for an aggregate that takes several values: the items of the tuple. For other
    /// aggregates the tuple is one value.
    public static List<Typed> spread(String name, Typed value) {
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
