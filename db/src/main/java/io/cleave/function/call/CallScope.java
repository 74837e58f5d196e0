package io.cleave.function.call;

import io.cleave.typed.Typed;
import io.cleave.yql.Expression;

import java.util.List;
import java.util.Optional;

/// What a function of the library can ask about the query around its call. Implemented by the
/// analyzer of the query language; the library knows nothing else of that language.
public interface CallScope {
    Dialect dialect();

    /// The number of lambdas that enclose the call.
    int depth();

    /// Analyzes an expression in the scope of the call.
    Typed analyze(Expression expression);

    /// The syntax of the lambda that `$name` refers to, if it refers to one.
    Optional<Expression.Lambda> writtenLambda(String name);

    /// An expression and the scope of its definition.
    record ScopedExpression(Expression expression, CallScope scope) {}

    /// The definition of `$name`, of any kind; empty for a parameter.
    Optional<ScopedExpression> definition(String name);

    /// Inlines a lambda, or a name for one: its body with the parameters replaced by `arguments`,
    /// for use inside `level + 1` lambdas.
    Typed applied(Expression lambda, int level, List<Typed> arguments);
}
