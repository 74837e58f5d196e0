package io.cleave.plan;

import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The values that a join gives to the first columns of a table's key, for each row of its left
/// side. They come from the equalities of the join, and from the equalities of a WHERE on the table
/// whose values are known when the query runs.
///
/// @param keys in key order and of the key columns' types; over the row of the left side
/// @param equalities the equalities of the join that the keys answer
/// @param terms the terms of the WHERE that the keys answer
/// @param conditions what must be true for a left row to have matches, over the left row; a lookup
///   by its keys finds rows that are not equal otherwise
/// @param whole whether the keys are the whole key of the table
/// @param fixed whether some of the keys come from the WHERE
record LookupKeys(
        List<Typed> keys,
        Set<Integer> equalities,
        Set<Typed> terms,
        List<Typed> conditions,
        boolean whole,
        boolean fixed) {
    LookupKeys {
        keys = List.copyOf(keys);
        conditions = List.copyOf(conditions);
        equalities = Set.copyOf(equalities);
        terms = Set.copyOf(terms);
    }

    /// Empty unless an equality of the join gives one of the keys. If only the WHERE gives values,
    /// they are a range that is read once.
    static Optional<LookupKeys> of(
            Relation.Join join, Table table, List<Typed> where, GeneratedColumns generated) {
        var search = new Search(join, table, where, generated);
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
                                search.conditions,
                                keys.size() == table.key().size(),
                                search.fixed));
    }

    private static final class Search {
        private final Relation.Join join;
        private final Table table;
        private final List<Typed> where;
        private final GeneratedColumns columns;
        private final Set<Integer> equalities = new HashSet<>();
        private final Set<Typed> terms = new HashSet<>();
        private final List<Typed> conditions = new ArrayList<>();
        private boolean fixed;

        Search(Relation.Join join, Table table, List<Typed> where, GeneratedColumns columns) {
            this.join = join;
            this.table = table;
            this.where = where;
            this.columns = columns;
        }

        /// Takes the value of a key column. The equality and the terms that give it need not be
        /// checked again.
        Optional<Typed> take(int keyColumn) {
            int equality = equalityOn(keyColumn);
            if (equality >= 0) {
                equalities.add(equality);
                terms.addAll(known(keyColumn, equality));
                if (join.nullsMatch()) {
                    // A value without an equal one becomes NULL, but is not equal to NULL.
                    Type type = table.key().get(keyColumn).type();
                    EqualKey.exists(type, join.leftKeys().get(equality)).ifPresent(conditions::add);
                }
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
                return EqualKey.of(type, join.leftKeys().get(equality));
            }
            Typed term = termOn(keyColumn);
            if (term == null) {
                return Optional.empty();
            }
            Typed value = KeyPredicates.comparison(table, term).orElseThrow().value();
            // In a WHERE, nan is equal to nothing; as a key it is equal to itself. The conversion
            // makes it NULL.
            return type instanceof Type.Decimal
                    ? Optional.of(EqualKey.converted(type, value))
                    : EqualKey.of(type, value);
        }

        /// The first equality that gives the column a value; -1 if there is none.
        private int equalityOn(int keyColumn) {
            int column = table.keyColumns().get(keyColumn);
            for (int index = 0; index < join.rightKeys().size(); index++) {
                if (join.rightKeys().get(index) instanceof Typed.Input(_, int read)
                        && read == column
                        && EqualKey.of(
                                        table.columns().get(column).type(),
                                        join.leftKeys().get(index))
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
                        && KeyBound.isExact(type, said.value().type())
                        && (!join.nullsMatch() || isPlain(type, said.value()))) {
                    return term;
                }
            }
            return null;
        }

        /// Whether a lookup by the value finds the rows that are equal to it, even if a lookup by
        /// NULL finds rows.
        private static boolean isPlain(Type type, Typed value) {
            return value.type().equals(type) && !(type instanceof Type.Decimal);
        }

        /// The terms on the column that are true for every left row, because the left column of the
        /// equality has the same value in all rows.
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

        /// The value of a generated column, if all its sources are known. Empty if it could be
        /// NULL, unless NULLs match: a lookup treats a NULL key as equal to nothing, but the stored
        /// key has the NULL.
        private Optional<Typed> generated(int keyColumn) {
            Column column = table.key().get(keyColumn);
            if (!GeneratedColumn.isGenerated(column)
                    || (!join.nullsMatch() && columns.mayBeNull(table, column))) {
                return Optional.empty();
            }
            GeneratedColumn found =
                    columns.of(table).stream()
                            .filter(each -> each.keyColumn() == keyColumn)
                            .findFirst()
                            .orElseThrow();
            return found.sources().stream().allMatch(source -> value(source).isPresent())
                    ? Optional.of(found.over(source -> value(source).orElseThrow()))
                    : Optional.empty();
        }
    }
}
