package io.cleave.function.time;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.List;
import java.util.Optional;

/// Arithmetic on dates and intervals: `date - date`, `date ± interval`, `interval ± interval`,
/// `interval * integer` and `interval / integer`. A result out of the range of its type is NULL.
public final class DateArithmetic {

    /// An operation on two numbers that are not NULL. Throws [ArithmeticException] if the result
    /// does not fit into 64 bits.
    @FunctionalInterface
    private interface Step {
        long apply(long left, long right);
    }

    private DateArithmetic() {}

    private static boolean isWide(Type type) {
        return switch (type) {
            case Primitive.DATE32, Primitive.DATETIME64, Primitive.TIMESTAMP64 -> true;
            case Primitive.INTERVAL64 -> true;
            default -> false;
        };
    }

    public static Optional<Typed> resolve(BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        boolean wide = isWide(l) || isWide(r);
        Primitive interval = wide ? Primitive.INTERVAL64 : Primitive.INTERVAL;
        boolean plus = operator == BinaryOperator.ADD;
        boolean minus = operator == BinaryOperator.SUBTRACT;
        long leftUnit = Ints.unitMicros(l);
        long rightUnit = Ints.unitMicros(r);
        if (minus && Ints.isDate(l) && Ints.isDate(r)) {
            boolean optional = left.type().isOptional() || right.type().isOptional();
            return Optional.of(
                    apply(
                            optional ? interval.optional() : interval,
                            operator,
                            left,
                            right,
                            (a, b) -> a * leftUnit - b * rightUnit));
        }
        if ((plus || minus) && Ints.isDate(l) && Ints.isInterval(r)) {
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
        if (plus && Ints.isInterval(l) && Ints.isDate(r)) {
            return resolve(operator, right, left);
        }
        if ((plus || minus) && Ints.isInterval(l) && Ints.isInterval(r)) {
            return Optional.of(
                    apply(
                            interval.optional(),
                            operator,
                            left,
                            right,
                            plus ? Math::addExact : Math::subtractExact));
        }
        if (Ints.isInterval(l) && Ints.isInteger(r)) {
            // A number out of the range of Int64 is larger than any Interval.
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
                // Division by zero throws the same exception as an overflow, and is NULL too.
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
        if (operator == BinaryOperator.MULTIPLY && Ints.isInteger(l) && Ints.isInterval(r)) {
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
