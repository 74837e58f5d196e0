package io.cleave.plan;

import io.cleave.analysis.GeneratedColumn;
import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.analysis.Typed.Comparison;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The values that a join gives to the first columns of a table's key, for each row of its left
/// side: from the equalities of the join, and from those of a WHERE on the table with values that
/// are known when the query runs.
///
/// @param keys in the order of the key columns and of their types; over the row of the left side
/// @param equalities which ones of the join they say
/// @param terms of the WHERE that they say
/// @param whole whether they are all of the key
/// @param fixed whether the WHERE gave some of them
record LookupKeys(
        List<Typed> keys, Set<Integer> equalities, Set<Typed> terms, boolean whole, boolean fixed) {
    LookupKeys {
        keys = List.copyOf(keys);
        equalities = Set.copyOf(equalities);
        terms = Set.copyOf(terms);
    }

    /// Nothing unless an equality of the join gives one of them: what the WHERE alone gives is a
    /// range that is read once.
    static Optional<LookupKeys> of(Relation.Join join, Table table, List<Typed> where) {
        var search = new Search(join, table, where);
        List<Typed> keys = new ArrayList<>();
        for (int keyColumn = 0; keyColumn < table.key().size(); keyColumn++) {
            Optional<Typed> key = search.take(keyColumn);
            if (key.isEmpty()) {
                break;
            }
            keys.add(key.get());
        }
        return search.equalities.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new LookupKeys(
                                keys,
                                search.equalities,
                                search.terms,
                                keys.size() == table.key().size(),
                                search.fixed));
    }

    /// A value of another type as the one of the column that is equal to it, or NULL if none is:
    /// just as a hash join finds values of two types equal. Nothing where that cannot be said.
    private static Optional<Typed> exact(Type columnType, Typed value) {
        Type type = value.type().unwrapped();
        if (type.equals(columnType)) {
            return Optional.of(value);
        }
        return KeyBound.isExact(columnType, type)
                ? Optional.of(converted(columnType, value))
                : Optional.empty();
    }

    private static Typed converted(Type columnType, Typed value) {
        Type type = value.type();
        return new Typed.Convert(
                columnType.optional(),
                value,
                given ->
                        KeyBound.of(columnType, type, given) instanceof KeyBound.Exact(Value found)
                                ? found
                                : Value.Null.NULL);
    }

    private static final class Search {
        private final Relation.Join join;
        private final Table table;
        private final List<Typed> where;
        private final Set<Integer> equalities = new HashSet<>();
        private final Set<Typed> terms = new HashSet<>();
        private boolean fixed;

        Search(Relation.Join join, Table table, List<Typed> where) {
            this.join = join;
            this.table = table;
            this.where = where;
        }

        /// The value of a key column; what says it need not be looked at again.
        Optional<Typed> take(int keyColumn) {
            int equality = equalityOn(keyColumn);
            if (equality >= 0) {
                equalities.add(equality);
                terms.addAll(known(keyColumn, equality));
                return value(keyColumn);
            }
            Typed term = termOn(keyColumn);
            if (term != null) {
                terms.add(term);
                fixed = true;
                return value(keyColumn);
            }
            return generated(keyColumn);
        }

        private Optional<Typed> value(int keyColumn) {
            Type type = table.key().get(keyColumn).type();
            int equality = equalityOn(keyColumn);
            if (equality >= 0) {
                return exact(type, join.leftKeys().get(equality));
            }
            Typed term = termOn(keyColumn);
            if (term == null) {
                return Optional.empty();
            }
            Typed value = KeyPredicates.comparison(table, term).orElseThrow().value();
            // A nan is equal to nothing in a WHERE, and to itself as a key.
            return type instanceof Type.Decimal
                    ? Optional.of(converted(type, value))
                    : exact(type, value);
        }

        /// The first equality that says what the column is, or -1.
        private int equalityOn(int keyColumn) {
            int column = table.keyColumns().get(keyColumn);
            for (int index = 0; index < join.rightKeys().size(); index++) {
                if (join.rightKeys().get(index) instanceof Typed.Input(_, int read)
                        && read == column
                        && exact(table.columns().get(column).type(), join.leftKeys().get(index))
                                .isPresent()) {
                    return index;
                }
            }
            return -1;
        }

        private @Nullable Typed termOn(int keyColumn) {
            Type type = table.key().get(keyColumn).type();
            for (Typed term : where) {
                KeyPredicate.Compare said = KeyPredicates.comparison(table, term).orElse(null);
                if (said != null
                        && said.keyColumn() == keyColumn
                        && said.comparison() == Comparison.EQUAL
                        && KeyBound.isExact(type, said.value().type())) {
                    return term;
                }
            }
            return null;
        }

        /// The terms on the column that every row of the left side fulfils, with the column that is
        /// equal to it.
        private List<Typed> known(int keyColumn, int equality) {
            int column = table.keyColumns().get(keyColumn);
            return join.leftKeys().get(equality) instanceof Typed.Input leftKey
                    ? where.stream()
                            .filter(
                                    term ->
                                            KnownEqualities.value(term, column)
                                                    .filter(value -> isKnown(leftKey, value))
                                                    .isPresent())
                            .toList()
                    : List.of();
        }

        private boolean isKnown(Typed.Input leftKey, Typed value) {
            return KnownEqualities.has(join.left(), leftKey.index(), value);
        }

        /// What a generated column comes to, if all that it is computed of is known. Nothing where
        /// that could be NULL: a lookup takes a NULL for a key that equals nothing, but this one is
        /// in the row.
        private Optional<Typed> generated(int keyColumn) {
            Column column = table.key().get(keyColumn);
            if (!GeneratedColumn.isGenerated(column) || GeneratedColumn.mayBeNull(table, column)) {
                return Optional.empty();
            }
            GeneratedColumn found =
                    GeneratedColumn.of(table).stream()
                            .filter(each -> each.keyColumn() == keyColumn)
                            .findFirst()
                            .orElseThrow();
            return found.sources().stream().allMatch(source -> value(source).isPresent())
                    ? Optional.of(found.over(source -> value(source).orElseThrow()))
                    : Optional.empty();
        }
    }
}
