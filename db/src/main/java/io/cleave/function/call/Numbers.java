package io.cleave.function.call;

import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// Helpers for numeric arguments, and the conversion of numbers to doubles.
public final class Numbers {
    /// The largest Uint64.
    public static final long ALL = -1;

    private Numbers() {}

    /// The argument as a Uint64; any literal that is not negative is accepted.
    public static Typed count(FunctionCall call, int index) {
        return of(call, index, Primitive.UINT64);
    }

    /// The argument converted to the type; a literal of any type is accepted if its value fits.
    public static Typed of(FunctionCall call, int index, Primitive type) {
        return Conversions.literal(call.value(index), type).orElseGet(() -> call.as(index, type));
    }

    /// The argument converted to the type; NULL is replaced by `otherwise`.
    public static Typed or(FunctionCall call, int index, Primitive type, long otherwise) {
        Typed given = of(call, index, type);
        var constant = new Typed.Constant(type, Value.of(otherwise));
        return given.type().isOptional()
                ? new Typed.Coalesce(type, List.of(given, constant))
                : given;
    }

    /// The count, but at most `most`.
    public static int bounded(Value count, int most) {
        long number = ((Value.Int) count).value();
        return number < 0 || number > most ? most : (int) number;
    }

    /// Converts an integer, a real or a Bool to a double.
    public static double real(Value value, boolean unsigned) {
        if (value instanceof Value.Real(double real)) {
            return real;
        }
        if (value instanceof Value.Bool(boolean bool)) {
            return bool ? 1 : 0;
        }
        long number = ((Value.Int) value).value();
        return unsigned && number < 0 ? ((number >>> 1) | (number & 1)) * 2.0 : number;
    }
}
