package io.cleave.analysis;

import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.List;
import java.util.Optional;

/// Dates and intervals: `date - date`, `date ± interval`, `interval ± interval`, `interval *
/// integer` and `interval / integer`. What leaves the range of its type is NULL.
final class DateArithmetic {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    /// The work on two numbers that are not NULL; throws [ArithmeticException] past 64 bits.
    @FunctionalInterface
    private interface Step {
        long apply(long left, long right);
    }

    private DateArithmetic() {}

    /// What one unit of the date type is, or 0 when it is none.
    static long unitMicros(Type type) {
        return switch (type) {
            case Primitive.DATE, Primitive.DATE32 -> DAY_MICROS;
            case Primitive.DATETIME, Primitive.DATETIME64 -> SECOND_MICROS;
            case Primitive.TIMESTAMP, Primitive.TIMESTAMP64 -> 1;
            default -> 0;
        };
    }

    static boolean isDate(Type type) {
        return unitMicros(type) > 0;
    }

    static boolean isInterval(Type type) {
        return type == Primitive.INTERVAL || type == Primitive.INTERVAL64;
    }

    private static boolean isWide(Type type) {
        return switch (type) {
            case Primitive.DATE32, Primitive.DATETIME64, Primitive.TIMESTAMP64 -> true;
            case Primitive.INTERVAL64 -> true;
            default -> false;
        };
    }

    static Optional<Typed> resolve(BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        boolean wide = isWide(l) || isWide(r);
        Primitive interval = wide ? Primitive.INTERVAL64 : Primitive.INTERVAL;
        boolean plus = operator == BinaryOperator.ADD;
        boolean minus = operator == BinaryOperator.SUBTRACT;
        long leftUnit = unitMicros(l);
        long rightUnit = unitMicros(r);
        if (minus && isDate(l) && isDate(r)) {
            boolean optional = left.type().isOptional() || right.type().isOptional();
            return Optional.of(
                    apply(
                            optional ? interval.optional() : interval,
                            operator,
                            left,
                            right,
                            (a, b) -> a * leftUnit - b * rightUnit));
        }
        if ((plus || minus) && isDate(l) && isInterval(r)) {
            return Optional.of(
                    apply(
                            l.optional(),
                            operator,
                            left,
                            right,
                            (a, b) ->
                                    Math.floorDiv(
                                            plus
                                                    ? Math.addExact(a * leftUnit, b)
                                                    : Math.subtractExact(a * leftUnit, b),
                                            leftUnit)));
        }
        if (plus && isInterval(l) && isDate(r)) {
            return resolve(operator, right, left);
        }
        if ((plus || minus) && isInterval(l) && isInterval(r)) {
            return Optional.of(
                    apply(
                            interval.optional(),
                            operator,
                            left,
                            right,
                            plus ? Math::addExact : Math::subtractExact));
        }
        if (isInterval(l) && Ints.isInteger(r)) {
            // A number past the range of an Int64 is more than any Interval.
            boolean unsigned = r == Primitive.UINT64;
            return switch (operator) {
                case MULTIPLY ->
                        Optional.of(
                                apply(
                                        l.optional(),
                                        operator,
                                        left,
                                        right,
                                        (a, b) ->
                                                Math.multiplyExact(
                                                        a,
                                                        unsigned && b < 0 ? Long.MAX_VALUE : b)));
                // Division by zero throws what past 64 bits throws, and is NULL like it.
                case DIVIDE ->
                        Optional.of(
                                apply(
                                        l.optional(),
                                        operator,
                                        left,
                                        right,
                                        (a, b) -> unsigned && b < 0 ? 0 : Math.divideExact(a, b)));
                default -> Optional.empty();
            };
        }
        if (operator == BinaryOperator.MULTIPLY && Ints.isInteger(l) && isInterval(r)) {
            return resolve(operator, right, left);
        }
        return Optional.empty();
    }

    private static Typed apply(
            Type type, BinaryOperator operator, Typed left, Typed right, Step step) {
        var range = (Primitive) type.unwrapped();
        ScalarFunction function =
                ScalarFunction.strict(
                        operator.text(),
                        a -> {
                            try {
                                long result =
                                        step.apply(
                                                ((Value.Int) a[0]).value(),
                                                ((Value.Int) a[1]).value());
                                return Ints.fits(range, result)
                                        ? Value.of(result)
                                        : Value.Null.NULL;
                            } catch (ArithmeticException _) {
                                return Value.Null.NULL;
                            }
                        });
        return new Typed.Apply(type, function, List.of(left, right));
    }
}
