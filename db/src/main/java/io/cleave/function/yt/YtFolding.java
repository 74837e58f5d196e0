package io.cleave.function.yt;

import io.cleave.base.StatusException;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// Computes operators of literals while a query is typed. The result is a literal again, so that
/// `-1` and `60 * 60` take the type that their neighbour needs.
final class YtFolding {
    private YtFolding() {}

    /// The value, or null if the operator is not computed here.
    static @Nullable YtLiteral unary(YtUnaryOperator operator, YtLiteral operand) {
        if (operator == YtUnaryOperator.NOT) {
            return null;
        }
        if (operator == YtUnaryOperator.PLUS || operand.value().isNull()) {
            return operand;
        }
        Value value =
                switch (operand.value()) {
                    case Value.Int(long number) ->
                            Value.of(operator == YtUnaryOperator.MINUS ? -number : ~number);
                    case Value.Real(double number) -> Value.of(-number);
                    default -> throw new IllegalArgumentException("not a number: " + operand);
                };
        return new YtLiteral(operand.type(), value);
    }

    static @Nullable YtLiteral binary(YtBinaryOperator operator, YtLiteral left, YtLiteral right) {
        if (operator == YtBinaryOperator.CONCATENATE) {
            return null;
        }
        if (operator.isLogic()) {
            return logic(operator == YtBinaryOperator.OR, left, right);
        }
        boolean anyNull = left.value().isNull() || right.value().isNull();
        if (anyNull && !operator.isRelation()) {
            return YtLiteral.NULL;
        }
        YtType type = left.type().compareTo(right.type()) > 0 ? left.type() : right.type();
        if (!anyNull
                && left.type() != right.type()
                && !(left.type().isNumber() && right.type().isNumber())) {
            throw YtQueryErrors.error("Type mismatch in expression \"\"")
                    .with("lhs_type", left.type().text())
                    .with("rhs_type", right.type().text())
                    .exception();
        }
        Value l = left.as(type);
        Value r = right.as(type);
        var comparison = operator.comparison();
        try {
            return comparison != null
                    ? YtLiteral.bool(comparison.holds(YtComparison.order(type, l, type, r)))
                    : new YtLiteral(type, YtArithmetic.computed(operator, type, l, r));
        } catch (StatusException failed) {
            throw YtQueryErrors.error(failed.issues().getFirst().message()).exception();
        }
    }

    private static YtLiteral logic(boolean decisive, YtLiteral left, YtLiteral right) {
        boolean decides = right.value().equals(Value.bool(decisive));
        if (left.value().isNull()) {
            return decides ? right : left;
        }
        return left.value().equals(Value.bool(decisive)) ? left : right;
    }
}
