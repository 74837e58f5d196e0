package io.cleave.function.yt;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// Compares two values. The result is never NULL: NULL is the least value and equals NULL.
///
/// If no operand can be NULL, the result is a [Typed.Compare]. If only one operand can be NULL, the
/// result is a COALESCE of the comparison and the answer for NULL. Key ranges are derived from
/// these nodes, and the executor computes them by column.
final class YtComparison {
    private static final Type BOOL = Primitive.BOOL;
    private static final Type MAYBE = new Type.Optional(Primitive.BOOL);

    private YtComparison() {}

    /// The operands have the same type, or one of them is `any`.
    static Typed of(Comparison comparison, Typed left, Typed right) {
        if (isNull(right)) {
            return withNull(comparison, left);
        }
        if (isNull(left)) {
            return withNull(comparison.mirrored(), right);
        }
        if (!isPlain(left) || !isPlain(right)) {
            return applied(comparison, left, right);
        }
        boolean leftOptional = left.type().isOptional();
        boolean rightOptional = right.type().isOptional();
        if (!leftOptional && !rightOptional) {
            return new Typed.Compare(BOOL, comparison, left, right);
        }
        if (leftOptional && rightOptional) {
            return applied(comparison, left, right);
        }
        // A NULL on the left is less than any value on the right. Any value on the left is greater
        // than a NULL on the right.
        boolean whenNull = comparison.holds(leftOptional ? -1 : 1);
        return new Typed.Coalesce(
                BOOL, List.of(new Typed.Compare(MAYBE, comparison, left, right), bool(whenNull)));
    }

    /// Like [#of], but the result is NULL if an operand is NULL.
    static Typed canonical(Comparison comparison, Typed left, Typed right) {
        boolean optional = mayBeNull(left) || mayBeNull(right);
        if (isNull(left) || isNull(right)) {
            return new Typed.Constant(MAYBE, Value.Null.NULL);
        }
        if (isPlain(left) && isPlain(right)) {
            return new Typed.Compare(optional ? MAYBE : BOOL, comparison, left, right);
        }
        YtType leftType = YtType.of(left.type());
        YtType rightType = YtType.of(right.type());
        return new Typed.Apply(
                optional ? MAYBE : BOOL,
                ScalarFunction.refusing(
                        "compare",
                        a ->
                                a[0].isNull() || a[1].isNull()
                                        ? Value.Null.NULL
                                        : Value.bool(
                                                comparison.holds(
                                                        order(leftType, a[0], rightType, a[1])))),
                List.of(left, right));
    }

    private static Typed withNull(Comparison comparison, Typed left) {
        Typed isNull = mayBeNull(left) ? new Typed.IsNull(BOOL, left) : bool(false);
        return switch (comparison) {
            case EQUAL, LESS_OR_EQUAL -> isNull;
            case NOT_EQUAL, GREATER -> mayBeNull(left) ? new Typed.Not(BOOL, isNull) : bool(true);
            case LESS -> bool(false);
            case GREATER_OR_EQUAL -> bool(true);
        };
    }

    private static Typed applied(Comparison comparison, Typed left, Typed right) {
        YtType leftType = YtType.of(left.type());
        YtType rightType = YtType.of(right.type());
        ScalarFunction function =
                ScalarFunction.of(
                        "compare",
                        a -> Value.bool(comparison.holds(order(leftType, a[0], rightType, a[1]))));
        boolean plain = isPlain(left) && isPlain(right);
        return new Typed.Apply(
                BOOL,
                plain ? function : new ScalarFunction.Refusing(function),
                List.of(left, right));
    }

    /// Compares two values of the language, of the same type or one of them of type `any`.
    static int order(YtType leftType, Value left, YtType rightType, Value right) {
        if (left.isNull() || right.isNull()) {
            return Boolean.compare(!left.isNull(), !right.isNull());
        }
        if (leftType != rightType) {
            return leftType == YtType.ANY
                    ? AnyOrder.compare(YtArithmetic.bytes(left), rightType, right)
                    : -AnyOrder.compare(YtArithmetic.bytes(right), leftType, left);
        }
        return switch (leftType) {
            case DOUBLE ->
                    YtNumbers.compareNumbers(YtArithmetic.real(left), YtArithmetic.real(right));
            case ANY -> AnyOrder.compare(YtArithmetic.bytes(left), YtArithmetic.bytes(right));
            default -> Order.compare(leftType.type(), left, right);
        };
    }

    static boolean mayBeNull(Typed expression) {
        return expression.type().isOptional() || expression.type() == Type.Unit.NULL;
    }

    private static boolean isNull(Typed expression) {
        return expression instanceof Typed.Constant(_, Value value) && value.isNull();
    }

    /// Whether a [Typed.Compare] of such values has the same result as YTsaurus. It does not for
    /// doubles, where NaN fails, and not for YSON.
    private static boolean isPlain(Typed expression) {
        return switch (YtType.of(expression.type())) {
            case INT64, UINT64, BOOLEAN, STRING -> true;
            case NULL, DOUBLE, ANY -> false;
        };
    }

    private static Typed bool(boolean value) {
        return new Typed.Constant(BOOL, Value.bool(value));
    }
}
