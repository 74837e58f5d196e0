package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/// Resolves names for expressions that are evaluated for each row of FROM.
class RowScope extends BaseScope {
    final RowSource source;
    private @Nullable Windows windows;

    RowScope(AnalysisContext context, @Nullable Bindings bindings, RowSource source) {
        super(context, bindings);
        this.source = source;
    }

    @Override
    public Typed column(Position at, Optional<String> from, String name) {
        if (isNothing()) {
            return super.column(at, from, name);
        }
        Optional<Expression> key =
                windows == null ? Optional.empty() : windows.partitionKey(from, name);
        return key.isPresent() && source.matches(from, name).isEmpty()
                // Without windows the name has no special meaning, so it cannot refer to itself.
                ? new RowScope(context, bindings, source).analyze(key.get())
                : source.find(at, from, name, dialect());
    }

    /// From now on window functions are allowed here and collected in `collected`.
    void allow(Windows collected) {
        windows = collected;
    }

    @Override
    public Typed window(Expression.Call call) {
        return windows == null ? super.window(call) : windows.call(call, this);
    }

    @Override
    public Typed row(Position at) {
        return isNothing() ? super.row(at) : source.struct(at, false);
    }

    @Override
    public Typed joinRow(Position at) {
        return isNothing() ? super.row(at) : source.struct(at, true);
    }

    /// Whether there is no FROM.
    private boolean isNothing() {
        return source.relation() instanceof Relation.Single;
    }
}
