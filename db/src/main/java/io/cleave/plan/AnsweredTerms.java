package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The terms of a WHERE that need not be evaluated for the rows that are read, because the key
/// ranges contain only rows for which they are true.
///
/// @param terms the terms that the key ranges answer
/// @param point whether they give every key column its value
record AnsweredTerms(Set<Typed> terms, boolean point) {
    static AnsweredTerms of(Table table, List<Typed> terms, GeneratedColumns generated) {
        Set<Typed> points = pointTerms(table, terms, generated);
        return points.isEmpty()
                ? new AnsweredTerms(rangeTerms(table, terms), false)
                : new AnsweredTerms(points, true);
    }

    /// The terms that give every key column its value, one for each column. Empty unless all
    /// columns have a value. A lookup by such a key implies all of these terms.
    private static Set<Typed> pointTerms(
            Table table, List<Typed> terms, GeneratedColumns generated) {
        Set<Typed> points = new HashSet<>();
        Set<Integer> covered = new HashSet<>();
        for (Typed term : terms) {
            KeyPredicate.Compare said = KeyPredicates.comparison(table, term).orElse(null);
            if (said != null
                    && said.comparison() == Comparison.EQUAL
                    && KeyBound.isExact(typeOf(table, said), said.value().type())
                    && covered.add(said.keyColumn())) {
                points.add(term);
            }
        }
        if (GeneratedColumn.isIn(table)) {
            // Any other condition on the key may have more combinations of values than the limit of
            // inference, and then the ranges do not have these values.
            if (!terms.stream()
                    .allMatch(term -> points.contains(term) || isNotOfKey(table, term))) {
                return Set.of();
            }
            for (GeneratedColumn column : generated.of(table)) {
                if (covered.containsAll(column.sources())) {
                    covered.add(column.keyColumn());
                }
            }
        }
        return covered.size() == table.keyColumns().size() ? points : Set.of();
    }

    private static boolean isNotOfKey(Table table, Typed term) {
        return KeyPredicates.of(table, term) instanceof KeyPredicate.Any;
    }

    /// The comparisons of the leading key columns that have one value each, and of the first key
    /// column after them. [KeyRanges] turns these into exact ranges. If any other term makes
    /// ranges, there may be too many ranges to use them, and no term is answered.
    private static Set<Typed> rangeTerms(Table table, List<Typed> terms) {
        if (GeneratedColumn.isIn(table)) {
            return Set.of();
        }
        Map<Integer, Set<Typed>> byColumn = new HashMap<>();
        Set<Integer> fixed = new HashSet<>();
        for (Typed term : terms) {
            KeyPredicate.Compare said = KeyPredicates.comparison(table, term).orElse(null);
            if (said == null && !(KeyPredicates.of(table, term) instanceof KeyPredicate.Any)) {
                return Set.of();
            }
            if (said != null && KeyBound.isOrdered(typeOf(table, said), said.value().type())) {
                byColumn.computeIfAbsent(said.keyColumn(), _ -> new HashSet<>()).add(term);
                if (said.comparison() == Comparison.EQUAL) {
                    fixed.add(said.keyColumn());
                }
            }
        }
        Set<Typed> answered = new HashSet<>();
        int column = 0;
        while (fixed.contains(column)) {
            answered.addAll(byColumn.getOrDefault(column, Set.of()));
            column++;
        }
        answered.addAll(byColumn.getOrDefault(column, Set.of()));
        return answered;
    }

    private static Type typeOf(Table table, KeyPredicate.Compare said) {
        return table.key().get(said.keyColumn()).type();
    }
}
