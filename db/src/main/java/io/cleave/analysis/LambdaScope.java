package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Dialect;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The scope inside a lambda. The parameters and definitions of the lambda take precedence over the
/// names of the outer scope.
final class LambdaScope implements Scope {
    private final Scope outer;
    private final int level;
    private final Map<String, Typed> names = new HashMap<>();

    /// `level` is the level of the lambda's own arguments.
    LambdaScope(Scope outer, int level) {
        this.outer = outer;
        this.level = level;
    }

    @Override
    public int depth() {
        return level + 1;
    }

    void define(String name, Typed value) {
        names.put(name, value);
    }

    @Override
    public Dialect dialect() {
        return outer.dialect();
    }

    @Override
    public void expand(Position at) {
        outer.expand(at);
    }

    @Override
    public void operated(Position at, BinaryOperator operator, Typed left, Typed right) {
        outer.operated(at, operator, left, right);
    }

    @Override
    public Typed column(Position at, Optional<String> source, String name) {
        return outer.column(at, source, name);
    }

    @Override
    public Typed named(Position at, String name) {
        Typed own = names.get(name);
        if (own == null) {
            return outer.named(at, name);
        }
        TypedTree.refuseCopyOfLarge(at, own);
        return own;
    }

    @Override
    public Optional<ScopedLambda> lambda(String name) {
        return names.containsKey(name) ? Optional.empty() : outer.lambda(name);
    }

    @Override
    public Optional<ScopedExpression> definition(String name) {
        return names.containsKey(name) ? Optional.empty() : outer.definition(name);
    }

    @Override
    public Optional<ScopedQuery> query(String name) {
        return names.containsKey(name) ? Optional.empty() : outer.query(name);
    }

    @Override
    public Optional<Expression.Call> partialCall(String name) {
        return names.containsKey(name) ? Optional.empty() : outer.partialCall(name);
    }

    @Override
    public Typed aggregate(Expression.Call call) {
        throw Errors.type(call.at(), "Aggregation is not allowed in this context");
    }

    @Override
    public Typed window(Expression.Call call) {
        throw Errors.type(call.at(), "Window functions are not allowed in this context");
    }

    @Override
    public Typed row(Position at) {
        return outer.row(at);
    }

    @Override
    public Typed joinRow(Position at) {
        return outer.joinRow(at);
    }

    @Override
    public Typed subQuery(Expression.SubQuery query) {
        return outer.subQuery(query);
    }

    @Override
    public Typed exists(Expression.Exists query) {
        return outer.exists(query);
    }

    @Override
    public Typed inSubQuery(
            Position at, Typed operand, Expression.SubQuery query, boolean negated) {
        return outer.inSubQuery(at, operand, query, negated);
    }
}
