package io.cleave.function;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.function.call.TypeExpressions;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;

/// Functions that create, replace or check for NULL: COALESCE, NULLIF, IF, Just, Nothing, Unwrap,
/// Ensure.
public final class NullFunctions {
    private NullFunctions() {}

    static void register(Registry registry) {
        registry.add("COALESCE", c -> coalesce(c.at(), atLeastOne(c).all()));
        registry.add("NVL", c -> coalesce(c.at(), atLeastOne(c).all()));
        registry.add("NULLIF", NullFunctions::nullIf);
        registry.add("IF", NullFunctions::choose);
        registry.add("NANVL", NullFunctions::nanvl);
        registry.add("Just", NullFunctions::just);
        registry.add("AsOptional", NullFunctions::just);
        registry.add("Nothing", NullFunctions::nothing);
        registry.add("Unwrap", NullFunctions::unwrap);
        registry.add("Ensure", NullFunctions::ensure);
        registry.add("EnsureType", NullFunctions::ensureType);
        registry.add("EnsureConvertibleTo", NullFunctions::ensureConvertible);
    }

    private static FunctionCall atLeastOne(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        return call;
    }

    /// The first argument that is not NULL. The type is Optional only if that of the last argument
    /// is. All arguments must have a common type, even those that are never evaluated.
    public static Typed coalesce(Position at, List<Typed> arguments) {
        Typed found = arguments.getFirst();
        for (Typed next : arguments.subList(1, arguments.size())) {
            found = coalesce(at, found, next);
        }
        return found;
    }

    private static Typed coalesce(Position at, Typed left, Typed right) {
        if (left.type() == Type.Unit.NULL) {
            return right;
        }
        if (right.type() == Type.Unit.NULL) {
            return left;
        }
        if (!left.type().isOptional()) {
            return Conversions.to(
                    at, left, coalesced(at, left, left.type(), right, right.type().unwrapped()));
        }
        Type item = left.type().unwrapped();
        Type type = coalesced(at, left, item, right, right.type());
        Typed otherwise = Conversions.to(at, right, type);
        if (item.isOptional()) {
            return new Typed.Apply(
                    type,
                    ScalarFunction.of(
                            "COALESCE",
                            a -> {
                                if (a[0].isNull()) {
                                    return a[1];
                                }
                                return a[0] instanceof Value.Just(Value inner) ? inner : a[0];
                            }),
                    List.of(Conversions.to(at, left, new Type.Optional(type)), otherwise));
        }
        Typed first = Conversions.to(at, left, type.optional());
        var all = new ArrayList<Typed>();
        if (first instanceof Typed.Coalesce(_, List<Typed> before)) {
            all.addAll(before);
        } else {
            all.add(first);
        }
        all.add(otherwise);
        return new Typed.Coalesce(type, all);
    }

    private static Type coalesced(Position at, Typed left, Type item, Typed right, Type other) {
        return CommonType.of(item, other)
                .orElseThrow(
                        () ->
                                Errors.type(
                                        at,
                                        "uncompatible coalesce types, first type: %s, second type: %s"
                                                .formatted(
                                                        left.type().text(), right.type().text())));
    }

    /// NULL if both arguments are equal, otherwise the first one. NULL is not equal to anything.
    private static Typed nullIf(FunctionCall call) {
        call.expect(2);
        Typed equal =
                Predicates.compare(call.at(), Typed.Comparison.EQUAL, call.value(0), call.value(1));
        return choose(
                call.at(),
                List.of(equal),
                List.of(new Typed.Constant(Type.Unit.NULL, Value.Null.NULL)),
                call.value(0));
    }

    private static Typed choose(FunctionCall call) {
        call.expect(2, 3);
        Typed otherwise =
                call.count() == 3
                        ? call.value(2)
                        : new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        return choose(
                call.at(),
                List.of(Predicates.condition(call.expression(0).at(), call.value(0))),
                List.of(call.value(1)),
                otherwise);
    }

    public static Typed choose(
            Position at, List<Typed> conditions, List<Typed> results, Typed otherwise) {
        var all = new ArrayList<>(results);
        all.add(otherwise);
        Type type = Conversions.common(at, all);
        var branches = new ArrayList<Typed.Branch>();
        for (int index = 0; index < conditions.size(); index++) {
            branches.add(
                    new Typed.Branch(
                            conditions.get(index), Conversions.to(at, results.get(index), type)));
        }
        return new Typed.Choose(type, branches, Conversions.to(at, otherwise, type));
    }

    private static Typed nanvl(FunctionCall call) {
        call.expect(2);
        Type common = Conversions.common(call.at(), call.all());
        if (common.unwrapped() != Primitive.FLOAT && common.unwrapped() != Primitive.DOUBLE) {
            throw call.error("Expected Float or Double, but got: " + common.text());
        }
        return call.apply(
                common,
                List.of(
                        Conversions.to(call.at(), call.value(0), common),
                        Conversions.to(call.at(), call.value(1), common)),
                a -> a[0] instanceof Value.Real(double real) && Double.isNaN(real) ? a[1] : a[0]);
    }

    private static Typed just(FunctionCall call) {
        call.expect(1);
        Typed value = call.value(0);
        Type type = new Type.Optional(value.type());
        // A NULL literal is not wrapped: an Optional<Null> has nothing to unwrap.
        boolean nested = value.type().isOptional();
        return call.apply(type, List.of(value), nested ? a -> new Value.Just(a[0]) : a -> a[0]);
    }

    private static Typed nothing(FunctionCall call) {
        call.expect(1);
        Type type = call.typeArgument(0);
        if (!type.isOptional()) {
            throw call.error("Expected optional type, but got: " + type.text());
        }
        return new Typed.Constant(type, Value.Null.NULL);
    }

    private static Typed unwrap(FunctionCall call) {
        call.expect(1, 2);
        Typed value = call.value(0);
        if (!value.type().isOptional() && value.type() != Type.Unit.NULL) {
            return value;
        }
        Position at = call.at();
        var arguments = new ArrayList<Typed>();
        arguments.add(value);
        if (call.count() == 2) {
            arguments.add(call.string(1));
        }
        return call.refusing(
                value.type().unwrapped(),
                arguments,
                a -> {
                    if (a[0].isNull()) {
                        throw failure(at, message(a, 1, "Failed to unwrap empty optional"));
                    }
                    return a[0] instanceof Value.Just(Value item) ? item : a[0];
                });
    }

    /// The argument at `index`, or `otherwise` if it is missing or NULL.
    private static String message(Value[] arguments, int index, String otherwise) {
        return index < arguments.length && !arguments[index].isNull()
                ? Texts.of(arguments[index])
                : otherwise;
    }

    private static Typed ensure(FunctionCall call) {
        call.expect(2, 3);
        Position at = call.at();
        var arguments = new ArrayList<Typed>();
        arguments.add(call.value(0));
        arguments.add(Predicates.condition(call.expression(1).at(), call.value(1)));
        if (call.count() == 3) {
            arguments.add(call.string(2));
        }
        return call.refusing(
                call.type(0),
                arguments,
                a -> {
                    if (!a[1].equals(Value.Bool.TRUE)) {
                        throw failure(at, message(a, 2, "Condition violated"));
                    }
                    return a[0];
                });
    }

    private static StatusException failure(Position at, String message) {
        return new StatusException(Status.PRECONDITION_FAILED, message, at);
    }

    private static Typed ensureType(FunctionCall call) {
        call.expect(2, 3);
        Type wanted = wanted(call);
        if (!call.type(0).equals(wanted)) {
            throw call.error(
                    "Mismatch types: %s!=%s".formatted(call.type(0).text(), wanted.text()));
        }
        return call.value(0);
    }

    private static Typed ensureConvertible(FunctionCall call) {
        call.expect(2, 3);
        Conversions.to(call.at(), call.value(0), wanted(call));
        return call.value(0);
    }

    /// The type argument, which may also be given as a string.
    private static Type wanted(FunctionCall call) {
        return call.expression(1) instanceof Expression.Literal
                ? TypeExpressions.parsed(call.at(), call.text(1))
                : call.typeArgument(1);
    }
}
