package io.cleave.analysis;

import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Optional;

/// Moments as the module `DateTime` passes them on. What YDB calls the resource TM is here a
/// Timestamp with a tag; every date type is taken where a TM is.
final class Moments {
    static final Type SPLIT = new Type.Tagged("DateTime2.TM", Primitive.TIMESTAMP);
    static final Type WIDE_SPLIT = new Type.Tagged("DateTime2.TM64", Primitive.TIMESTAMP64);

    private static final long SECOND_MICROS = 1_000_000;
    private static final int MICRO_NANOS = 1000;

    private Moments() {}

    /// A moment that is an argument: the expression and what one unit of it is.
    record Argument(Typed value, long unitMicros, boolean wide) {
        long micros(Value moment) {
            return ((Value.Int) moment).value() * unitMicros;
        }

        LocalDateTime time(Value moment) {
            return Moments.time(micros(moment));
        }

        Type split() {
            return wide ? WIDE_SPLIT : SPLIT;
        }

        /// The type of the same width.
        Primitive timestamp() {
            return wide ? Primitive.TIMESTAMP64 : Primitive.TIMESTAMP;
        }
    }

    static Argument argument(FunctionCall call, int index) {
        Typed value = call.value(index);
        Type type = value.type().unwrapped();
        if (type.equals(SPLIT) || type.equals(WIDE_SPLIT)) {
            return new Argument(value, 1, type.equals(WIDE_SPLIT));
        }
        if (!DateArithmetic.isDate(type)) {
            throw call.error(
                    "Expected a date as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), value.type().text()));
        }
        return new Argument(
                value, DateArithmetic.unitMicros(type), Ints.isSigned((Primitive) type));
    }

    static LocalDateTime time(long micros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, SECOND_MICROS),
                (int) Math.floorMod(micros, SECOND_MICROS) * MICRO_NANOS,
                ZoneOffset.UTC);
    }

    static long micros(LocalDateTime time) {
        return time.toEpochSecond(ZoneOffset.UTC) * SECOND_MICROS
                + time.get(ChronoField.MICRO_OF_SECOND);
    }

    /// The time as a value of the timestamp type, or nothing if it cannot say it.
    static Optional<Value> value(Primitive timestamp, LocalDateTime time) {
        long micros = micros(time);
        return Ints.fits(timestamp, micros) ? Optional.of(Value.of(micros)) : Optional.empty();
    }
}
