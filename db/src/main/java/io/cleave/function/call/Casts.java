package io.cleave.function.call;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Cast;
import io.cleave.value.Caster;
import io.cleave.value.Convert;
import io.cleave.value.Ints;
import io.cleave.value.Json;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import java.util.List;
import java.util.Optional;

/// CAST and BITCAST.
public final class Casts {
    private Casts() {}

    public static Typed cast(Position at, Typed value, Type target) {
        Type from = value.type();
        if (from == Type.Unit.NULL) {
            return new Typed.Constant(target.optional(), Value.Null.NULL);
        }
        Caster caster =
                Cast.find(from, target)
                        .orElseThrow(
                                () ->
                                        Errors.type(
                                                at,
                                                "Cannot cast type %s into %s"
                                                        .formatted(from.text(), target.text())));
        Type type = Cast.resultType(from, target, caster);
        boolean reads = isText(from.unwrapped()) && isJson(target.unwrapped());
        return reads && !(value instanceof Typed.Constant)
                ? new Typed.Apply(type, reading(target.unwrapped()), List.of(value))
                : Conversions.apply(value, type, caster);
    }

    private static boolean isText(Type type) {
        return type == Primitive.STRING || type == Primitive.UTF8 || type == Primitive.JSON;
    }

    private static boolean isJson(Type type) {
        return type == Primitive.JSON || type == Primitive.JSON_DOCUMENT;
    }

    /// A cast to Json as a long-running function that can be interrupted, since a document may be
    /// long.
    private static ScalarFunction reading(Type json) {
        return ScalarFunction.ofLong(
                "CAST",
                (a, run) -> {
                    Optional<String> text =
                            switch (a[0]) {
                                case Value.Text(String given) -> Optional.of(given);
                                case Value.Binary(Bytes bytes) -> ValueParser.utf8(bytes);
                                default -> Optional.empty();
                            };
                    return text.flatMap(
                                    given ->
                                            json == Primitive.JSON
                                                    ? Json.parse(given, run::pass).map(_ -> given)
                                                    : Json.normalize(given, run::pass))
                            .<Value>map(Value::text)
                            .orElse(Value.Null.NULL);
                });
    }

    public static Typed bits(Position at, Typed value, Type target) {
        Type from = value.type();
        if (from == Type.Unit.NULL) {
            return new Typed.Constant(target.optional(), Value.Null.NULL);
        }
        if (!Ints.isInteger(from.unwrapped())
                || !(target.unwrapped() instanceof Primitive to)
                || !Ints.isInteger(to)) {
            throw Errors.type(
                    at, "Cannot bitcast type %s into %s".formatted(from.text(), target.text()));
        }
        return new Typed.Apply(
                from.isOptional() ? to.optional() : target,
                ScalarFunction.strict("BITCAST", a -> Convert.bitcast(to, a[0])),
                List.of(value));
    }
}
