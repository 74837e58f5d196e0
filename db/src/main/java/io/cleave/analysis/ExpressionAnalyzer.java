package io.cleave.analysis;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.yql.Expression;

/// Gives an expression its types: what names mean comes from the [Scope].
public final class ExpressionAnalyzer {
    public Typed analyze(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal literal -> new Typed.Constant(literal.type(), literal.value());
            case Expression.ColumnName c -> scope.column(c.at(), c.source(), c.name());
            case Expression.NamedValue n -> scope.named(n.at(), n.name());
            default ->
                    throw new StatusException(
                            Status.UNSUPPORTED, "Not supported here", expression.at());
        };
    }

    /// The value as one of `target` on its way into a column.
    public Typed convert(Typed value, Type target, String column, boolean literal) {
        if (value.type().equals(target) || value.type().equals(target.unwrapped())) {
            return value;
        }
        throw new StatusException(
                Status.GENERIC_ERROR,
                "Failed to convert '"
                        + column
                        + "': "
                        + value.type().text()
                        + " to "
                        + target.text());
    }
}
