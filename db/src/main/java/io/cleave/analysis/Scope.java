package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.Optional;

/// What the names in an expression mean where it stands. Given by whoever analyses the query around
/// it; every method throws a [io.cleave.base.StatusException] for what does not exist or may not
/// stand there.
public interface Scope {
    Dialect dialect();

    /// To be told whenever a lambda is put in its place: there is an end to it.
    default void expand(Position at) {}

    /// To be told of `+ - * / %`, which may be worth a warning.
    default void operated(Position at, BinaryOperator operator, Typed left, Typed right) {}

    /// Asked first about every node: an expression that has an answer already, such as a GROUP BY
    /// key in a SELECT list.
    default Optional<Typed> known(Expression expression) {
        return Optional.empty();
    }

    Typed column(Position at, Optional<String> source, String name);

    /// `$name`: a parameter or a named expression that is not a lambda.
    Typed named(Position at, String name);

    /// A lambda and the scope where it was written.
    record ScopedLambda(Expression.Lambda lambda, Scope scope) {}

    /// The lambda that `$name` stands for, if it stands for one.
    default Optional<ScopedLambda> lambda(String name) {
        return Optional.empty();
    }

    /// An expression and the scope where it was written.
    record ScopedExpression(Expression expression, Scope scope) {}

    /// What `$name` was defined as, whatever that is; nothing for a parameter.
    default Optional<ScopedExpression> definition(String name) {
        return Optional.empty();
    }

    /// A query and the scope where it was written.
    record ScopedQuery(Expression.SubQuery query, Scope scope) {}

    /// The query that `$name` stands for, if it stands for one: behind IN it is a collection.
    default Optional<ScopedQuery> query(String name) {
        return Optional.empty();
    }

    /// The call of a module's function that `$name` stands for and that gives a function, as in
    /// `$day = DateTime::Format("%d")`. Asked when `$name(…)` is called and it is no lambda.
    default Optional<Expression.Call> partialCall(String name) {
        return Optional.empty();
    }

    /// A call whose name [Aggregates#isAggregate] knows and that has no OVER.
    Typed aggregate(Expression.Call call);

    /// `GROUPING(key, …)`: which keys the grouping set of the row lacks.
    default Typed grouping(Expression.Call call) {
        throw AnalysisContext.error(
                call.at(), "GROUPING function is not allowed where there is no GROUP BY");
    }

    /// A call with OVER.
    Typed window(Expression.Call call);

    /// `TableRow()`: the whole row as a Struct.
    Typed row(Position at);

    /// `JoinTableRow()`: as [#row], but where FROM joins, members are named after their source too.
    default Typed joinRow(Position at) {
        return row(at);
    }

    Typed subQuery(Expression.SubQuery query);

    Typed exists(Expression.Exists query);

    Typed inSubQuery(Position at, Typed operand, Expression.SubQuery query, boolean negated);
}
