package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Typed;
import io.cleave.yql.Expression;

import java.util.Map;
import java.util.Optional;

/// Resolves names in ORDER BY: first as names of the SELECT list, then as names that the SELECT
/// list can use. Both kinds of expressions read the same input rows.
final class OrderScope extends BaseScope {
    private final BaseScope below;
    private final Map<String, Typed> outputs;

    OrderScope(BaseScope below, Map<String, Typed> outputs) {
        super(below.context, below.bindings);
        this.below = below;
        this.outputs = outputs;
    }

    @Override
    public Optional<Typed> known(Expression expression) {
        return below.known(expression);
    }

    @Override
    public Typed column(Position at, Optional<String> source, String name) {
        Typed output = source.isEmpty() ? outputs.get(name) : null;
        return output != null ? output : below.column(at, source, name);
    }

    @Override
    public Typed aggregate(Expression.Call call) {
        return below.aggregate(call);
    }

    @Override
    public Typed grouping(Expression.Call call) {
        return below.grouping(call);
    }

    @Override
    public Typed window(Expression.Call call) {
        return below.window(call);
    }

    @Override
    public Typed row(Position at) {
        return below.row(at);
    }
}
