package io.cleave.value;

import java.util.function.UnaryOperator;

/// Turns values of one type into values of another.
///
/// `mayFail` says that some value other than NULL has no counterpart and becomes NULL; the type of
/// the result is then Optional.
public record Caster(UnaryOperator<Value> conversion, boolean mayFail) {
    static final Caster IDENTITY = new Caster(value -> value, false);

    /// Leaves NULL as it is.
    static Caster of(UnaryOperator<Value> conversion, boolean mayFail) {
        return new Caster(value -> value.isNull() ? value : conversion.apply(value), mayFail);
    }

    static Caster total(UnaryOperator<Value> conversion) {
        return of(conversion, false);
    }

    static Caster failing(UnaryOperator<Value> conversion) {
        return of(conversion, true);
    }

    public Value apply(Value value) {
        return conversion.apply(value);
    }
}
