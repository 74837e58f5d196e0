package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.value.Cast;
import io.cleave.value.Caster;
import io.cleave.value.CommonType;
import io.cleave.value.Convert;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// Conversions that nobody wrote, as nodes of the typed tree. A constant is converted at once.
final class Conversions {
    private Conversions() {}

    /// The value as one of `target`, if every value of its type is.
    static Optional<Typed> implicit(Typed value, Type target) {
        return Convert.find(value.type(), target).map(caster -> apply(value, target, caster));
    }

    /// As [#implicit], and a literal may be of any type that can hold what it says; so may those
    /// that a list is written of.
    static Optional<Typed> literal(Typed value, Type target) {
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

    /// NULL among the items of a list is that of any type.
    private static Optional<Typed> literalItem(Typed value, Type target) {
        return value instanceof Typed.Constant(_, Value constant)
                        && constant.isNull()
                        && target.isOptional()
                ? Optional.of(new Typed.Constant(target, constant))
                : literal(value, target);
    }

    /// As [#implicit]; there must be such a conversion.
    static Typed to(Position at, Typed value, Type target) {
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
            // These stand for an empty container; the caster knows which.
            case Typed.Constant(Type type, Value constant)
                    when type == Type.Unit.EMPTY_LIST || type == Type.Unit.EMPTY_DICT ->
                    new Typed.Constant(target, caster.conversion().apply(constant));
            case Typed.Constant(_, Value constant) ->
                    new Typed.Constant(target, caster.apply(constant));
            default -> new Typed.Convert(target, value, caster.conversion());
        };
    }

    /// The type that all of them convert to.
    static Type common(Position at, List<Typed> values) {
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

    /// What arithmetic on two types of numbers is done in, if both are.
    static Optional<Primitive> numeric(Type left, Type right) {
        return CommonType.isNumber(left) && CommonType.isNumber(right)
                ? CommonType.arithmetic(left, right).map(type -> (Primitive) type)
                : Optional.empty();
    }

    /// A number as one that [#numeric] has chosen; NULL stays NULL.
    static Typed toNumeric(Typed value, Primitive type) {
        return implicit(value, like(value, type)).orElseThrow();
    }

    /// A Decimal of the same scale or an integer as a Decimal; too large an integer is infinite.
    static Typed toDecimal(Typed value, Type.Decimal type) {
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
