package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.CallScope;
import io.cleave.typed.Typed;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.List;
import java.util.Optional;

/// Resolves the names in an expression. Implemented by the analyzers of the surrounding query.
/// Every method throws a [io.cleave.base.StatusException] for a name that does not exist or is not
/// allowed there.
public interface Scope extends CallScope {
    @Override
    default int depth() {
        return 0;
    }

    @Override
    default Typed analyze(Expression expression) {
        return ExpressionAnalyzer.ANALYZER.analyze(expression, this);
    }

    @Override
    default Typed applied(Expression lambda, int level, List<Typed> arguments) {
        return ExpressionAnalyzer.ANALYZER.applied(lambda, this, level, arguments);
    }

    @Override
    default Optional<Expression.Lambda> writtenLambda(String name) {
        return lambda(name).map(ScopedLambda::lambda);
    }

    /// Must be called for each inlined lambda. Throws if there are too many.
    default void expand(Position at) {}

    /// Must be called for `+ - * / %`, which may cause a warning.
    default void operated(Position at, BinaryOperator operator, Typed left, Typed right) {}

    /// Called first for every node. Returns a result if the expression is already computed, such as
    /// a GROUP BY key in a SELECT list.
    default Optional<Typed> known(Expression expression) {
        return Optional.empty();
    }

    Typed column(Position at, Optional<String> source, String name);

    /// `$name`: a parameter, or a named expression that is not a lambda.
    Typed named(Position at, String name);

    /// A lambda and the scope of its definition.
    record ScopedLambda(Expression.Lambda lambda, Scope scope) {}

    /// The lambda that `$name` refers to, if it refers to one.
    default Optional<ScopedLambda> lambda(String name) {
        return Optional.empty();
    }

    @Override
    default Optional<ScopedExpression> definition(String name) {
        return Optional.empty();
    }

    /// A query and the scope of its definition.
    record ScopedQuery(Expression.SubQuery query, Scope scope) {}

    /// The query that `$name` refers to, if it refers to one. After IN such a query is a
    /// collection.
    default Optional<ScopedQuery> query(String name) {
        return Optional.empty();
    }

    /// The module function call that `$name` refers to and that itself returns a function, as in
    /// `$day = DateTime::Format("%d")`. Used for `$name(…)` if `$name` is not a lambda.
    default Optional<Expression.Call> partialCall(String name) {
        return Optional.empty();
    }

    /// A call without OVER whose name is known to
    /// [io.cleave.function.aggregate.Aggregates#isAggregate].
    Typed aggregate(Expression.Call call);

    /// `GROUPING(key, …)`: which of the keys the grouping set of the row does not contain.
    default Typed grouping(Expression.Call call) {
        throw AnalysisContext.error(
                call.at(), "GROUPING function is not allowed where there is no GROUP BY");
    }

    /// A call with OVER.
    Typed window(Expression.Call call);

    /// `TableRow()`: the whole row as a Struct.
    Typed row(Position at);

    /// `JoinTableRow()`: like [#row], but in a join the member names also contain the source.
    default Typed joinRow(Position at) {
        return row(at);
    }

    Typed subQuery(Expression.SubQuery query);

    Typed exists(Expression.Exists query);

    Typed inSubQuery(Position at, Typed operand, Expression.SubQuery query, boolean negated);
}
