package io.cleave.analysis;

import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/// The named expressions that a statement sees. A name may be given again further down, so each
/// definition sees the ones above it only: a chain, newest first.
record Bindings(@Nullable Bindings above, String name, Binding binding) {
    /// What a name stands for: an expression, or one item of the tuple that it is (-1 for all of
    /// it), read where it was written.
    record Binding(Expression value, int item, @Nullable Bindings seen) {}

    static Optional<Binding> find(@Nullable Bindings bindings, String name) {
        for (Bindings at = bindings; at != null; at = at.above) {
            if (at.name.equals(name)) {
                return Optional.of(at.binding);
            }
        }
        return Optional.empty();
    }
}
