package io.cleave.function.operator;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Casts;
import io.cleave.function.call.Conversions;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/// Arithmetic with `PRAGMA CheckedOps`: the result of two integers is NULL if an operand or the
/// result does not fit into the common type. Other types are handled by [Arithmetic].
public final class CheckedArithmetic {
    /// Prefix of the function names, which distinguishes them from the operators that wrap around.
    private static final String CHECKED = "checked ";

    private CheckedArithmetic() {}

    public static Typed resolve(Position at, BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        Optional<Primitive> common =
                Ints.isInteger(l) && Ints.isInteger(r)
                        ? Conversions.numeric(l, r)
                        : Optional.empty();
        if (common.isEmpty()) {
            return Arithmetic.resolve(at, operator, left, right);
        }
        Primitive type = common.get();
        return new Typed.Apply(
                type.optional(),
                ScalarFunction.strict(
                        CHECKED + operator.text(), a -> integer(operator, type, a[0], a[1])),
                List.of(Casts.cast(at, left, type), Casts.cast(at, right, type)));
    }

    public static Value integer(BinaryOperator operator, Primitive type, Value left, Value right) {
        boolean unsigned = !Ints.isSigned(type);
        BigInteger l = Ints.number(unsigned, ((Value.Int) left).value());
        BigInteger r = Ints.number(unsigned, ((Value.Int) right).value());
        return switch (operator) {
            case ADD -> fitting(type, l.add(r));
            case SUBTRACT -> fitting(type, l.subtract(r));
            case MULTIPLY -> fitting(type, l.multiply(r));
            default -> Arithmetic.integer(operator, type, left, right);
        };
    }

    private static Value fitting(Primitive type, BigInteger number) {
        boolean unsigned = !Ints.isSigned(type);
        return number.compareTo(Ints.number(unsigned, Ints.min(type))) >= 0
                        && number.compareTo(Ints.number(unsigned, Ints.max(type))) <= 0
                ? Value.of(number.longValue())
                : Value.Null.NULL;
    }

    /// `-x`.
    public static Typed negate(Position at, Typed operand) {
        if (!(operand.type().unwrapped() instanceof Primitive type) || !Ints.isInteger(type)) {
            return Arithmetic.negate(at, operand);
        }
        boolean unsigned = !Ints.isSigned(type);
        return new Typed.Apply(
                type.optional(),
                ScalarFunction.strict(
                        CHECKED + "-",
                        a ->
                                fitting(
                                        type,
                                        Ints.number(unsigned, ((Value.Int) a[0]).value())
                                                .negate())),
                List.of(operand));
    }
}
