package io.cleave.plan;

import io.cleave.plan.range.RangeInference;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Scores how well a WHERE suits the primary key of a table and each of its indexes. Pure.
final class IndexChoice {
    /// A column with an equality counts as much as two columns with a range.
    private static final int EQUAL_SCORE = 2;

    private final Tables tables;
    private final KeyInference inference;
    private final boolean automatic;

    /// `automatic` means that the optimizer may choose an index that the query does not name.
    IndexChoice(Tables tables, KeyInference inference, boolean automatic) {
        this.tables = tables;
        this.inference = inference;
        this.automatic = automatic;
    }

    /// The same rows, read through an index if the optimizer may choose one and it suits the WHERE
    /// better than the primary key.
    Relation.Filter choose(Relation.Filter filter) {
        if (!automatic || !(filter.input() instanceof Relation.TableRows(Table table))) {
            return filter;
        }
        int byKey = score(KeyPredicates.inferring(table, filter.predicate(), inference));
        return best(tables, table, filter.predicate(), byKey)
                .<Relation.Filter>map(rows -> new Relation.Filter(rows, filter.predicate()))
                .orElse(filter);
    }

    /// The index that suits the WHERE best, if its score is greater than `least`.
    static Optional<Relation.IndexRows> best(
            Tables tables, Table table, Typed predicate, int least) {
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

    /// 0 means that all keys have to be read.
    static int score(KeyPredicate keys) {
        if (keys
                instanceof
                KeyPredicate.Inferring(
                        RangeInference inference,
                        long limit,
                        KeyPredicate.Or(List<KeyPredicate> terms))) {
            return terms.stream()
                    .mapToInt(term -> score(new KeyPredicate.Inferring(inference, limit, term)))
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

    /// The key columns that are not generated.
    static Set<Integer> sources(Table table) {
        Set<Integer> sources = new TreeSet<>();
        for (int column = 0; column < table.key().size(); column++) {
            if (!GeneratedColumn.isGenerated(table.key().get(column))) {
                sources.add(column);
            }
        }
        return sources;
    }

    /// Whether the predicate restricts each of these columns to specific values.
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
            case KeyPredicate.CompareOrNull(int column, Comparison comparison, _) -> {
                if (comparison == Comparison.LESS || comparison == Comparison.LESS_OR_EQUAL) {
                    ranged.add(column);
                }
            }
            case KeyPredicate.OneOf(int column, _) -> equal.add(column);
            case KeyPredicate.OneOfTuples(List<Integer> columns, _) -> equal.addAll(columns);
            case KeyPredicate.IsNull(int column) -> equal.add(column);
            case KeyPredicate.IsNotNull(int column) -> ranged.add(column);
            case KeyPredicate.And(List<KeyPredicate> terms) ->
                    terms.forEach(term -> collect(term, equal, ranged));
            case KeyPredicate.Or or -> {
                // If every term restricts the first key column, so does the OR. Otherwise it does
                // not count.
                if (score(or) > 0) {
                    ranged.add(0);
                }
            }
            case KeyPredicate.Inferring inferring -> {
                collect(inferring.of(), equal, ranged);
                for (GeneratedColumn column : inferring.generated()) {
                    if (equal.containsAll(column.sources())) {
                        equal.add(column.keyColumn());
                    }
                }
            }
            case KeyPredicate.Any _, KeyPredicate.Never _ -> {}
        }
    }
}
