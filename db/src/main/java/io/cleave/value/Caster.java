package io.cleave.value;

import java.util.function.UnaryOperator;

/// Converts values of one type to another type.
///
/// `mayFail` says that some non-NULL value cannot be converted and becomes NULL. The type of the
/// result is then Optional.
public record Caster(UnaryOperator<Value> conversion, boolean mayFail) {
    static final Caster IDENTITY = new Caster(value -> value, false);

    /// A caster that converts NULL to NULL.
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
