package io.cleave.analysis;

import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// Arguments that count something.
final class Numbers {
    /// The largest Uint64.
    static final long ALL = -1;

    private Numbers() {}

    /// The argument as a Uint64; a literal need only not be negative.
    static Typed count(FunctionCall call, int index) {
        return of(call, index, Primitive.UINT64);
    }

    /// The argument as a number of the type; of a literal only its value counts.
    static Typed of(FunctionCall call, int index, Primitive type) {
        return Conversions.literal(call.value(index), type).orElseGet(() -> call.as(index, type));
    }

    /// The argument as a number of the type, or `otherwise` where it is NULL.
    static Typed or(FunctionCall call, int index, Primitive type, long otherwise) {
        Typed given = of(call, index, type);
        var constant = new Typed.Constant(type, Value.of(otherwise));
        return given.type().isOptional()
                ? new Typed.Coalesce(type, List.of(given, constant))
                : given;
    }

    /// The count, or `most` if it is more.
    static int bounded(Value count, int most) {
        long number = ((Value.Int) count).value();
        return number < 0 || number > most ? most : (int) number;
    }
}
