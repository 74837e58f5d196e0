package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.typed.CompileTimeRun;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/// Arithmetic operators, bit operators and `||`. Integers wrap around. A division of integers fails
/// if the divisor is zero, or if it divides the least int64 by -1.
///
/// If a function computes the same as in YQL, it has the name of YQL's operator. The executor then
/// computes it by column. A division that may fail is named `/!` or `%!`.
final class YtArithmetic {
    private YtArithmetic() {}

    /// Both operands have the type of the result.
    static Typed binary(YtBinaryOperator operator, Typed left, Typed right) {
        Primitive type = (Primitive) YtType.of(left.type()).type();
        boolean optional = left.type().isOptional() || right.type().isOptional();
        Type result = optional ? type.optional() : type;
        boolean division =
                type != Primitive.DOUBLE
                        && (operator == YtBinaryOperator.DIVIDE
                                || operator == YtBinaryOperator.MODULO);
        ScalarFunction function =
                division && mayFail(type, right)
                        ? new ScalarFunction.Refusing(
                                function(operator.lexeme() + "!", operator, type))
                        : function(operator.lexeme(), operator, type);
        return new Typed.Apply(result, function, List.of(left, right));
    }

    /// Whether a division by this operand may fail.
    private static boolean mayFail(Primitive type, Typed divisor) {
        boolean known =
                divisor instanceof Typed.Constant(_, Value.Int(long number))
                        && number != 0
                        && (number != -1 || type == Primitive.UINT64);
        return !known;
    }

    /// The value for two operands of the given type that are not NULL.
    static Value computed(YtBinaryOperator operator, YtType type, Value left, Value right) {
        return function(operator.lexeme(), operator, (Primitive) type.type())
                .apply(new Value[] {left, right}, new CompileTimeRun());
    }

    private static ScalarFunction function(String name, YtBinaryOperator operator, Primitive type) {
        return switch (operator) {
            case PLUS -> numbers(name, type, (a, b) -> a + b, (a, b) -> a + b);
            case MINUS -> numbers(name, type, (a, b) -> a - b, (a, b) -> a - b);
            case MULTIPLY -> numbers(name, type, (a, b) -> a * b, (a, b) -> a * b);
            case DIVIDE ->
                    type == Primitive.UINT64
                            ? integers(name, YtArithmetic::divideUnsigned)
                            : numbers(name, type, YtArithmetic::divide, (a, b) -> a / b);
            case MODULO ->
                    type == Primitive.UINT64
                            ? integers(name, YtArithmetic::remainderUnsigned)
                            : integers(name, YtArithmetic::remainder);
            case LEFT_SHIFT -> integers(name, (a, b) -> a << b);
            case RIGHT_SHIFT ->
                    integers(name, type == Primitive.UINT64 ? (a, b) -> a >>> b : (a, b) -> a >> b);
            case BIT_OR -> integers(name, (a, b) -> a | b);
            case BIT_AND -> integers(name, (a, b) -> a & b);
            case CONCATENATE ->
                    ScalarFunction.strict(name, a -> concatenated(bytes(a[0]), bytes(a[1])));
            default -> throw new IllegalArgumentException(operator + " is not arithmetic");
        };
    }

    private static ScalarFunction numbers(
            String name, Primitive type, LongBinaryOperator integers, DoubleBinaryOperator reals) {
        return type == Primitive.DOUBLE
                ? ScalarFunction.strict(
                        name, a -> Value.of(reals.applyAsDouble(real(a[0]), real(a[1]))))
                : integers(name, integers);
    }

    private static ScalarFunction integers(String name, LongBinaryOperator operation) {
        return ScalarFunction.strict(
                name, a -> Value.of(operation.applyAsLong(integer(a[0]), integer(a[1]))));
    }

    static Typed unary(YtUnaryOperator operator, Typed operand) {
        return switch (operator) {
            case PLUS -> operand;
            case NOT -> new Typed.Not(operand.type(), operand);
            case MINUS ->
                    new Typed.Apply(
                            operand.type(),
                            operand.type().unwrapped() == Primitive.DOUBLE
                                    ? ScalarFunction.strict("-", a -> Value.of(0.0 - real(a[0])))
                                    : ScalarFunction.strict("-", a -> Value.of(-integer(a[0]))),
                            List.of(operand));
            case BIT_NOT ->
                    new Typed.Apply(
                            operand.type(),
                            ScalarFunction.strict("~", a -> Value.of(~integer(a[0]))),
                            List.of(operand));
        };
    }

    static long divide(long left, long right) {
        checkDivision(left, right);
        return left / right;
    }

    static long remainder(long left, long right) {
        checkDivision(left, right);
        return left % right;
    }

    private static void checkDivision(long left, long right) {
        checkDivisor(right);
        if (left == Long.MIN_VALUE && right == -1) {
            throw YtQueryErrors.failure("Division of INT_MIN by -1");
        }
    }

    static long divideUnsigned(long left, long right) {
        checkDivisor(right);
        return Long.divideUnsigned(left, right);
    }

    static long remainderUnsigned(long left, long right) {
        checkDivisor(right);
        return Long.remainderUnsigned(left, right);
    }

    private static void checkDivisor(long divisor) {
        if (divisor == 0) {
            throw YtQueryErrors.failure("Division by zero");
        }
    }

    static Value concatenated(Bytes left, Bytes right) {
        // The size is checked before the memory is taken.
        ValueSizes.requireBytes((long) left.length() + right.length());
        byte[] all = new byte[left.length() + right.length()];
        System.arraycopy(left.array(), 0, all, 0, left.length());
        System.arraycopy(right.array(), 0, all, left.length(), right.length());
        return Value.binary(Bytes.wrap(all));
    }

    static long integer(Value value) {
        return ((Value.Int) value).value();
    }

    static double real(Value value) {
        return ((Value.Real) value).value();
    }

    static Bytes bytes(Value value) {
        return ((Value.Binary) value).value();
    }

    static boolean bool(Value value) {
        return ((Value.Bool) value).value();
    }
}
