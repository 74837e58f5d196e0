package io.cleave.function.call;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Cast;
import io.cleave.value.Caster;
import io.cleave.value.CommonType;
import io.cleave.value.Convert;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// Implicit conversions, as nodes of the typed tree. A constant is converted at compile time.
public final class Conversions {
    private Conversions() {}

    /// Converts the value to `target`. Empty if not every value of its type can be converted.
    public static Optional<Typed> implicit(Typed value, Type target) {
        return Convert.find(value.type(), target).map(caster -> apply(value, target, caster));
    }

    /// Like [#implicit], but a literal converts to every type that can hold its value. The same
    /// applies to the literals in a written list.
    public static Optional<Typed> literal(Typed value, Type target) {
        if (value instanceof Typed.ItemsOf(Type.ListOf type, List<Typed> items)
                && target instanceof Type.ListOf(Type item)
                && !type.equals(target)) {
            List<Typed> converted =
                    items.stream().flatMap(i -> literalItem(i, item).stream()).toList();
            return converted.size() == items.size()
                    ? Optional.of(new Typed.ItemsOf(target, converted))
                    : Optional.empty();
        }
        Optional<Value> known =
                value instanceof Typed.Constant(_, Value constant) && !constant.isNull()
                        ? Optional.of(constant)
                        : Optional.empty();
        return Convert.find(value.type(), target, known)
                .map(caster -> apply(value, target, caster));
    }

    /// A NULL in a list literal converts to any Optional type.
    private static Optional<Typed> literalItem(Typed value, Type target) {
        return value instanceof Typed.Constant(_, Value constant)
                        && constant.isNull()
                        && target.isOptional()
                ? Optional.of(new Typed.Constant(target, constant))
                : literal(value, target);
    }

    /// Like [#implicit], but throws if there is no such conversion.
    public static Typed to(Position at, Typed value, Type target) {
        return implicit(value, target)
                .orElseThrow(
                        () ->
                                Errors.type(
                                        at,
                                        "Can't convert %s to %s"
                                                .formatted(value.type().text(), target.text())));
    }

    static Typed apply(Typed value, Type target, Caster caster) {
        if (value.type().equals(target)) {
            return value;
        }
        return switch (value) {
            // The caster converts these to an empty container of the target type.
            case Typed.Constant(Type type, Value constant)
                    when type == Type.Unit.EMPTY_LIST || type == Type.Unit.EMPTY_DICT ->
                    new Typed.Constant(target, caster.conversion().apply(constant));
            case Typed.Constant(_, Value constant) ->
                    new Typed.Constant(target, caster.apply(constant));
            default -> new Typed.Convert(target, value, caster.conversion());
        };
    }

    /// The common type that all the values convert to.
    public static Type common(Position at, List<Typed> values) {
        Type common = values.getFirst().type();
        for (Typed value : values) {
            Type soFar = common;
            common =
                    CommonType.of(soFar, value.type())
                            .orElseThrow(
                                    () ->
                                            Errors.type(
                                                    at,
                                                    "Uncompatible types: %s and %s"
                                                            .formatted(
                                                                    soFar.text(),
                                                                    value.type().text())));
        }
        return common;
    }

    /// The type in which arithmetic on two numeric types is computed; empty if one is not numeric.
    public static Optional<Primitive> numeric(Type left, Type right) {
        return CommonType.isNumber(left) && CommonType.isNumber(right)
                ? CommonType.arithmetic(left, right).map(type -> (Primitive) type)
                : Optional.empty();
    }

    /// Converts a number to the type chosen by [#numeric]; NULL stays NULL.
    public static Typed toNumeric(Typed value, Primitive type) {
        return implicit(value, like(value, type)).orElseThrow();
    }

    /// Converts an integer, or a Decimal of the same scale, to a Decimal. An integer that is too
    /// large becomes infinite.
    public static Typed toDecimal(Typed value, Type.Decimal type) {
        Type target = like(value, type);
        Optional<Typed> implicit = implicit(value, target);
        return implicit.isPresent()
                ? implicit.get()
                : apply(value, target, Cast.find(value.type(), target).orElseThrow());
    }

    private static Type like(Typed value, Type type) {
        return value.type().isOptional() ? type.optional() : type;
    }
}
