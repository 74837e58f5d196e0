package io.cleave.plan;

import io.cleave.analysis.GeneratedColumn;
import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.analysis.Typed.Comparison;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// How well a WHERE suits the keys of a table and of its indexes. Pure.
final class IndexChoice {
    /// A column that is equal to something counts for two that are only in a range.
    private static final int EQUAL_SCORE = 2;

    private final Tables tables;
    private final boolean automatic;

    /// `automatic` when the optimizer may choose an index by itself.
    IndexChoice(Tables tables, boolean automatic) {
        this.tables = tables;
        this.automatic = automatic;
    }

    /// The same rows, through the index that suits better than the primary key, if one does and may
    /// be chosen.
    Relation.Filter choose(Relation.Filter filter) {
        if (!automatic || !(filter.input() instanceof Relation.TableRows(Table table))) {
            return filter;
        }
        int byKey = score(KeyPredicates.inferring(table, filter.predicate()));
        return best(table, filter.predicate(), byKey)
                .<Relation.Filter>map(rows -> new Relation.Filter(rows, filter.predicate()))
                .orElse(filter);
    }

    /// The index that suits the WHERE best of all, if that is better than `least`.
    Optional<Relation.IndexRows> best(Table table, Typed predicate, int least) {
        int most = least;
        Optional<Relation.IndexRows> best = Optional.empty();
        for (Index index : table.indexes()) {
            Optional<Table> rows = tables.find(Index.path(table.path(), index.name()));
            if (!index.isReady() || index.kind() == Index.Kind.ASYNC || rows.isEmpty()) {
                continue;
            }
            List<Typed> inside = new IndexColumns(table, rows.get()).inside(predicate);
            int score =
                    inside.isEmpty()
                            ? 0
                            : score(KeyPredicates.of(rows.get(), IndexReads.and(inside)));
            if (score > most) {
                most = score;
                best = Optional.of(new Relation.IndexRows(table, index, rows.get()));
            }
        }
        return best;
    }

    /// 0 when every key has to be looked at.
    static int score(KeyPredicate keys) {
        if (keys
                instanceof
                KeyPredicate.Inferring(
                        List<GeneratedColumn> generated,
                        KeyPredicate.Or(List<KeyPredicate> terms))) {
            return terms.stream()
                    .mapToInt(term -> score(new KeyPredicate.Inferring(generated, term)))
                    .min()
                    .orElse(0);
        }
        if (keys instanceof KeyPredicate.Or(List<KeyPredicate> terms)) {
            return terms.stream().mapToInt(IndexChoice::score).min().orElse(0);
        }
        Set<Integer> equal = new TreeSet<>();
        Set<Integer> ranged = new TreeSet<>();
        collect(keys, equal, ranged);
        int prefix = 0;
        while (equal.contains(prefix)) {
            prefix++;
        }
        return EQUAL_SCORE * prefix + (ranged.contains(prefix) ? 1 : 0);
    }

    /// The columns of a key that are not generated.
    static Set<Integer> sources(Table table) {
        Set<Integer> sources = new TreeSet<>();
        for (int column = 0; column < table.key().size(); column++) {
            if (!GeneratedColumn.isGenerated(table.key().get(column))) {
                sources.add(column);
            }
        }
        return sources;
    }

    /// Whether the predicate gives each of these columns certain values.
    static boolean isFixed(List<Integer> columns, KeyPredicate keys) {
        if (keys instanceof KeyPredicate.Or(List<KeyPredicate> terms)) {
            return terms.stream().allMatch(term -> isFixed(columns, term));
        }
        Set<Integer> equal = new TreeSet<>();
        collect(keys, equal, new TreeSet<>());
        return equal.containsAll(columns);
    }

    private static void collect(KeyPredicate keys, Set<Integer> equal, Set<Integer> ranged) {
        switch (keys) {
            case KeyPredicate.Compare(int column, Comparison comparison, _) -> {
                switch (comparison) {
                    case EQUAL -> equal.add(column);
                    case NOT_EQUAL -> {}
                    case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> ranged.add(column);
                }
            }
            case KeyPredicate.OneOf(int column, _) -> equal.add(column);
            case KeyPredicate.OneOfTuples(List<Integer> columns, _) -> equal.addAll(columns);
            case KeyPredicate.IsNull(int column) -> equal.add(column);
            case KeyPredicate.IsNotNull(int column) -> ranged.add(column);
            case KeyPredicate.And(List<KeyPredicate> terms) ->
                    terms.forEach(term -> collect(term, equal, ranged));
            case KeyPredicate.Or or -> {
                // All of its terms are about one column, or it says too little to count.
                if (score(or) > 0) {
                    ranged.add(0);
                }
            }
            case KeyPredicate.Inferring(List<GeneratedColumn> generated, KeyPredicate of) -> {
                collect(of, equal, ranged);
                for (GeneratedColumn column : generated) {
                    if (equal.containsAll(column.sources())) {
                        equal.add(column.keyColumn());
                    }
                }
            }
            case KeyPredicate.Any _ -> {}
        }
    }
}
