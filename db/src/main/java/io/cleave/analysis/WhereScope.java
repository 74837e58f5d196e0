package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Typed;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Resolves names in WHERE and in the arguments of aggregates: an alias from GROUP BY takes
/// precedence over a column.
final class WhereScope extends RowScope {
    private final RowScope rows;
    private final Map<String, Expression> keys = new HashMap<>();

    WhereScope(RowScope rows, List<GroupKey> groupBy) {
        super(rows.context, rows.bindings, rows.source);
        this.rows = rows;
        for (GroupKey key : groupBy) {
            key.alias().ifPresent(name -> keys.put(name, key.key()));
        }
    }

    @Override
    public Typed aggregate(Expression.Call call) {
        throw AnalysisContext.error(call.at(), "Can not use aggregated values in filtering");
    }

    @Override
    public Typed column(Position at, Optional<String> from, String name) {
        Expression key = from.isEmpty() ? keys.get(name) : null;
        return key != null ? rows.analyze(key) : super.column(at, from, name);
    }
}
