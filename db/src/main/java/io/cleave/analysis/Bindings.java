package io.cleave.analysis;

import io.cleave.yql.Expression;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// The names that a statement can use, as a linked list with the newest definition first. A name
/// may be redefined, and each definition sees only the ones above it. Names of common table
/// expressions have no dollar sign.
record Bindings(@Nullable Bindings above, String name, Meaning meaning) {
    sealed interface Meaning {}

    /// A named expression. If `item` is not -1, the name stands for that item of a tuple. The
    /// expression is analyzed with the names visible at its definition.
    record Binding(Expression value, int item, @Nullable Bindings seen) implements Meaning {}

    /// An action or a subquery with parameters. Its body is analyzed with the names visible at its
    /// definition.
    record Routine(Statement.DefineRoutine definition, @Nullable Bindings seen)
            implements Meaning {}

    /// A common table expression: a query in WITH.
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

    /// Replaces names that stand for a literal by that literal. Needed for arguments that are
    /// analyzed in another scope, where the names could have another meaning.
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
