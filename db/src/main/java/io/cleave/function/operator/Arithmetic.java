package io.cleave.function.operator;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Conversions;
import io.cleave.function.time.DateArithmetic;
import io.cleave.function.time.TzArithmetic;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.DecimalMath;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.List;
import java.util.Optional;

/// `+ - * / %` on numbers and Decimals. Integers wrap around. The division of an integer by zero is
/// NULL, so the type of an integer division is always Optional.
public final class Arithmetic {
    private Arithmetic() {}

    public static Typed resolve(Position at, BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        if (l == Type.Unit.NULL || r == Type.Unit.NULL) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        return numbers(operator, left, right)
                .or(() -> decimals(operator, left, right))
                .or(() -> DateArithmetic.resolve(operator, left, right))
                .or(() -> TzArithmetic.resolve(operator, left, right))
                .orElseThrow(
                        () ->
                                Errors.type(
                                        at,
                                        "Cannot %s type %s and %s"
                                                .formatted(
                                                        verb(operator),
                                                        left.type().text(),
                                                        right.type().text())));
    }

    private static Optional<Typed> numbers(BinaryOperator operator, Typed left, Typed right) {
        Optional<Primitive> common =
                Conversions.numeric(left.type().unwrapped(), right.type().unwrapped());
        if (common.isEmpty()) {
            return Optional.empty();
        }
        Primitive type = common.get();
        boolean fractional = type == Primitive.FLOAT || type == Primitive.DOUBLE;
        boolean divides = operator == BinaryOperator.DIVIDE || operator == BinaryOperator.MODULO;
        ScalarFunction function =
                ScalarFunction.strict(
                        operator.text(),
                        fractional
                                ? a -> real(operator, type, a[0], a[1])
                                : a -> integer(operator, type, a[0], a[1]));
        Type result =
                (divides && !fractional) || left.type().isOptional() || right.type().isOptional()
                        ? type.optional()
                        : type;
        return Optional.of(
                new Typed.Apply(
                        result,
                        function,
                        List.of(
                                Conversions.toNumeric(left, type),
                                Conversions.toNumeric(right, type))));
    }

    static Value integer(BinaryOperator operator, Primitive type, Value left, Value right) {
        long l = ((Value.Int) left).value();
        long r = ((Value.Int) right).value();
        return switch (operator) {
            case ADD -> Value.of(wrap(type, l + r));
            case SUBTRACT -> Value.of(wrap(type, l - r));
            case MULTIPLY -> Value.of(wrap(type, l * r));
            case DIVIDE -> {
                if (isUndefined(type, l, r)) {
                    yield Value.Null.NULL;
                }
                yield Value.of(type == Primitive.UINT64 ? Long.divideUnsigned(l, r) : l / r);
            }
            case MODULO -> {
                if (isUndefined(type, l, r)) {
                    yield Value.Null.NULL;
                }
                yield Value.of(type == Primitive.UINT64 ? Long.remainderUnsigned(l, r) : l % r);
            }
            default -> throw new IllegalArgumentException(operator.text());
        };
    }

    /// The least number divided by -1 does not fit. As in YDB, its remainder is undefined too.
    private static boolean isUndefined(Primitive type, long dividend, long divisor) {
        return divisor == 0 || (divisor == -1 && Ints.isSigned(type) && dividend == Ints.min(type));
    }

    /// The low bits of the number, interpreted as the type.
    public static long wrap(Primitive type, long number) {
        return switch (type) {
            case INT8 -> (byte) number;
            case UINT8 -> number & 0xFF;
            case INT16 -> (short) number;
            case UINT16 -> number & 0xFFFF;
            case INT32 -> (int) number;
            case UINT32 -> number & 0xFFFF_FFFFL;
            default -> number;
        };
    }

    private static Value real(BinaryOperator operator, Primitive type, Value left, Value right) {
        double l = ((Value.Real) left).value();
        double r = ((Value.Real) right).value();
        double result =
                switch (operator) {
                    case ADD -> l + r;
                    case SUBTRACT -> l - r;
                    case MULTIPLY -> l * r;
                    case DIVIDE -> l / r;
                    case MODULO -> l % r;
                    default -> throw new IllegalArgumentException(operator.text());
                };
        // Rounding twice gives the same result as rounding once, because a double has more than
        // twice the digits of a float.
        return Value.of(type == Primitive.FLOAT ? (float) result : result);
    }

    /// Arithmetic on Decimals of the same scale, or on a Decimal and an integer.
    private static Optional<Typed> decimals(BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        Type.Decimal type;
        if (l instanceof Type.Decimal a && r instanceof Type.Decimal b) {
            if (a.scale() != b.scale()) {
                return Optional.empty();
            }
            type = a.precision() >= b.precision() ? a : b;
        } else if (l instanceof Type.Decimal a && Ints.isInteger(r)) {
            type = a;
        } else if (r instanceof Type.Decimal b && Ints.isInteger(l)) {
            type = b;
        } else {
            return Optional.empty();
        }
        ScalarFunction function =
                ScalarFunction.strict(
                        operator.text(),
                        a -> decimal(operator, type, (Value.Int128) a[0], (Value.Int128) a[1]));
        boolean optional = left.type().isOptional() || right.type().isOptional();
        return Optional.of(
                new Typed.Apply(
                        optional ? type.optional() : type,
                        function,
                        List.of(
                                Conversions.toDecimal(left, type),
                                Conversions.toDecimal(right, type))));
    }

    private static Value decimal(
            BinaryOperator operator, Type.Decimal type, Value.Int128 left, Value.Int128 right) {
        return switch (operator) {
            case ADD -> DecimalMath.add(type, left, right);
            case SUBTRACT -> DecimalMath.subtract(type, left, right);
            case MULTIPLY -> DecimalMath.multiply(type, left, right);
            case DIVIDE -> DecimalMath.divide(type, left, right);
            case MODULO -> DecimalMath.remainder(left, right);
            default -> throw new IllegalArgumentException(operator.text());
        };
    }

    /// `-x`. The negation of a literal is a literal.
    public static Typed negate(Position at, Typed operand) {
        Type type = operand.type().unwrapped();
        if (type == Type.Unit.NULL) {
            return operand;
        }
        ScalarFunction.Body body =
                switch (type) {
                    case Type.Decimal _ -> a -> DecimalMath.negate((Value.Int128) a[0]);
                    case Primitive.FLOAT, Primitive.DOUBLE ->
                            a -> Value.of(-((Value.Real) a[0]).value());
                    case Primitive p
                            when Ints.isInteger(p)
                                    || p == Primitive.INTERVAL
                                    || p == Primitive.INTERVAL64 ->
                            a -> Value.of(wrap(p, -((Value.Int) a[0]).value()));
                    default -> throw Errors.type(at, "Cannot negate type " + operand.type().text());
                };
        return operand instanceof Typed.Constant(_, Value value) && !value.isNull()
                ? new Typed.Constant(operand.type(), body.apply(new Value[] {value}))
                : new Typed.Apply(
                        operand.type(), ScalarFunction.strict("-", body), List.of(operand));
    }

    private static String verb(BinaryOperator operator) {
        return switch (operator) {
            case ADD -> "add";
            case SUBTRACT -> "substract"; // as YDB spells it
            case MULTIPLY -> "multiply";
            case DIVIDE -> "divide";
            default -> "mod";
        };
    }
}
