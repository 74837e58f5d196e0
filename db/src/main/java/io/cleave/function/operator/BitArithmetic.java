package io.cleave.function.operator;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Conversions;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.List;

/// `& | ^ ~` on unsigned integers, and shifts and rotations on all integers. The result of a shift
/// is the unsigned type of the same width as its left side. A shift by the width or more gives 0.
public final class BitArithmetic {
    private BitArithmetic() {}

    public static Typed resolve(Position at, BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        if (l == Type.Unit.NULL || r == Type.Unit.NULL) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        requireUnsigned(at, left.type());
        requireUnsigned(at, right.type());
        Primitive type = Conversions.numeric(l, r).orElseThrow();
        return apply(
                operator,
                type,
                Conversions.toNumeric(left, type),
                Conversions.toNumeric(right, type));
    }

    /// Resolves `<< >> |<< >>|`. The count is a Uint8, or a literal that fits into one.
    public static Typed shift(Position at, BinaryOperator operator, Typed left, Typed right) {
        Type type = left.type().unwrapped();
        if (type == Type.Unit.NULL) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        if (!Ints.isInteger(type)) {
            throw Errors.type(at, "Unsupported type: " + left.type().text());
        }
        Typed count =
                Conversions.literal(right, Primitive.UINT8)
                        .orElseThrow(() -> Errors.type(at, "Shift count must be Uint8"));
        return apply(operator, unsigned((Primitive) type), left, count);
    }

    static void requireUnsigned(Position at, Type type) {
        if (!Ints.isInteger(type.unwrapped()) || Ints.isSigned((Primitive) type.unwrapped())) {
            throw Errors.type(at, "Expected unsigned data type, but got: " + type.text());
        }
    }

    private static Typed apply(BinaryOperator operator, Primitive type, Typed left, Typed right) {
        ScalarFunction function =
                ScalarFunction.strict(
                        operator.text(),
                        a ->
                                Value.of(
                                        Arithmetic.wrap(
                                                type,
                                                bits(
                                                        operator,
                                                        type,
                                                        ((Value.Int) a[0]).value(),
                                                        ((Value.Int) a[1]).value()))));
        boolean optional = left.type().isOptional() || right.type().isOptional();
        return new Typed.Apply(optional ? type.optional() : type, function, List.of(left, right));
    }

    /// A shift works on the bits of a number, so its result is unsigned.
    private static Primitive unsigned(Primitive type) {
        return switch (type) {
            case INT8 -> Primitive.UINT8;
            case INT16 -> Primitive.UINT16;
            case INT32 -> Primitive.UINT32;
            case INT64 -> Primitive.UINT64;
            default -> type;
        };
    }

    private static long bits(BinaryOperator operator, Primitive type, long left, long right) {
        int width = Ints.bytes(type) * Byte.SIZE;
        long mask = width == Long.SIZE ? -1L : (1L << width) - 1;
        boolean gone = right < 0 || right >= width;
        int turn = (int) Math.floorMod(right, (long) width);
        long plain = left & mask;
        return switch (operator) {
            case BITWISE_AND -> left & right;
            case BITWISE_OR -> left | right;
            case BITWISE_XOR -> left ^ right;
            case SHIFT_LEFT -> gone ? 0 : left << right;
            case SHIFT_RIGHT -> gone ? 0 : plain >>> right;
            case ROTATE_LEFT -> turn == 0 ? plain : plain << turn | plain >>> (width - turn);
            case ROTATE_RIGHT -> turn == 0 ? plain : plain >>> turn | plain << (width - turn);
            default -> throw new IllegalArgumentException(operator.text());
        };
    }

    public static Typed not(Position at, Typed operand) {
        if (operand.type() == Type.Unit.NULL) {
            return operand;
        }
        requireUnsigned(at, operand.type());
        var type = (Primitive) operand.type().unwrapped();
        return new Typed.Apply(
                operand.type(),
                ScalarFunction.strict(
                        "~", a -> Value.of(Arithmetic.wrap(type, ~((Value.Int) a[0]).value()))),
                List.of(operand));
    }
}
