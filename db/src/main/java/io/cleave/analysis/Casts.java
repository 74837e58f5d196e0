package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.value.Cast;
import io.cleave.value.Caster;
import io.cleave.value.Convert;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// CAST and BITCAST.
final class Casts {
    private Casts() {}

    static Typed cast(Position at, Typed value, Type target) {
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
        return Conversions.apply(value, Cast.resultType(from, target, caster), caster);
    }

    static Typed bits(Position at, Typed value, Type target) {
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
