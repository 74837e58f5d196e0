package io.cleave.plan;

import io.cleave.analysis.GeneratedColumn;
import io.cleave.analysis.Typed;
import io.cleave.analysis.Typed.Comparison;
import io.cleave.schema.Table;
import io.cleave.value.Type;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which terms of a WHERE need not be looked at again, since only rows for which they are true have
/// the keys that are read.
///
/// @param terms those that are answered by the keys
/// @param point whether they give every key column its value
record AnsweredTerms(Set<Typed> terms, boolean point) {
    static AnsweredTerms of(Table table, List<Typed> terms) {
        Set<Typed> points = pointTerms(table, terms);
        return points.isEmpty()
                ? new AnsweredTerms(rangeTerms(table, terms), false)
                : new AnsweredTerms(points, true);
    }

    /// The terms that give every key column its value, one for each; nothing unless all do. The
    /// lookup by such a key says all that they say.
    private static Set<Typed> pointTerms(Table table, List<Typed> terms) {
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
            for (GeneratedColumn column : GeneratedColumn.of(table)) {
                if (covered.containsAll(column.sources())) {
                    covered.add(column.keyColumn());
                }
            }
        }
        return covered.size() == table.keyColumns().size() ? points : Set.of();
    }

    /// The comparisons of the columns at the beginning of the key that have one value each, and of
    /// the first column behind them: [KeyRanges] makes one range or a few of these, which leave
    /// nothing out and let nothing else in. Where anything else makes ranges, they may be too many
    /// to go by, and nothing is answered.
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
