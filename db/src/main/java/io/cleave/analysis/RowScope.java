package io.cleave.analysis;

import io.cleave.base.Issue.Position;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/// Names where each row of FROM is looked at.
class RowScope extends BaseScope {
    final RowSource source;

    RowScope(AnalysisContext context, @Nullable Bindings bindings, RowSource source) {
        super(context, bindings);
        this.source = source;
    }

    @Override
    public Typed column(Position at, Optional<String> from, String name) {
        if (source.relation() instanceof Relation.Single) {
            return super.column(at, from, name);
        }
        return source.find(at, from, name);
    }

    @Override
    public Typed row(Position at) {
        return source.struct();
    }
}
