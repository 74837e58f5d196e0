package io.cleave.analysis;

import io.cleave.yql.Expression;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// The named expressions that a statement sees. A name may be given again further down, so each
/// definition sees the ones above it only: a chain, newest first. Names of common tables have no
/// dollar.
record Bindings(@Nullable Bindings above, String name, Meaning meaning) {
    sealed interface Meaning {}

    /// What a name stands for: an expression, or one item of the tuple that it is (-1 for all of
    /// it), read where it was written.
    record Binding(Expression value, int item, @Nullable Bindings seen) implements Meaning {}

    /// An action or a subquery with parameters, read where it was written.
    record Routine(Statement.DefineRoutine definition, @Nullable Bindings seen)
            implements Meaning {}

    /// A name of WITH and the names of its columns, none when they are the query's own.
    record CommonTable(Query.CommonTable table, @Nullable Bindings seen) implements Meaning {}

    static Optional<Binding> find(@Nullable Bindings bindings, String name) {
        return find(bindings, name, Binding.class);
    }

    static Optional<Routine> findRoutine(@Nullable Bindings bindings, String name) {
        return find(bindings, name, Routine.class);
    }

    static Optional<CommonTable> findTable(@Nullable Bindings bindings, String name) {
        return find(bindings, name, CommonTable.class);
    }

    /// Arguments that are read elsewhere than where they were written: a name that comes to a
    /// literal there is that literal, whatever the name means elsewhere.
    static List<Expression.Argument> written(
            List<Expression.Argument> arguments, @Nullable Bindings seen) {
        return arguments.stream()
                .map(a -> new Expression.Argument(a.name(), written(a.value(), seen)))
                .toList();
    }

    private static Expression written(Expression expression, @Nullable Bindings seen) {
        Expression value = expression;
        Bindings names = seen;
        while (value instanceof Expression.NamedValue(_, String name)) {
            Optional<Binding> found = find(names, name).filter(binding -> binding.item() < 0);
            if (found.isEmpty()) {
                return expression;
            }
            value = found.get().value();
            names = found.get().seen();
        }
        return value instanceof Expression.Literal ? value : expression;
    }

    private static <T extends Meaning> Optional<T> find(
            @Nullable Bindings bindings, String name, Class<T> kind) {
        for (Bindings at = bindings; at != null; at = at.above) {
            if (at.name.equals(name)) {
                return kind.isInstance(at.meaning)
                        ? Optional.of(kind.cast(at.meaning))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }
}
