package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// For EXPLAIN: names an index that would suit a WHERE better than the primary key.
final class IndexHint {
    private IndexHint() {}

    static Optional<String> of(PlanNode.Filter filter, Tables tables) {
        if (!(filter.input() instanceof PlanNode.Read read)
                || read.pointRead()
                || read.table().indexes().isEmpty()) {
            return Optional.empty();
        }
        Typed predicate =
                TypedTree.mapInputs(
                        filter.predicate(),
                        part ->
                                part instanceof Typed.Input(Type type, int place)
                                        ? new Typed.Input(type, read.columns().get(place))
                                        : part);
        List<Typed> terms = new ArrayList<>(List.of(predicate));
        addTerms(read.table(), read.keys(), terms);
        return IndexChoice.best(
                        tables, read.table(), IndexReads.and(terms), IndexChoice.score(read.keys()))
                .map(Relation.IndexRows::index)
                .map(index -> "VIEW " + index.name() + " would read fewer rows");
    }

    /// Adds the terms that are not in the filter because the keys answer them.
    private static void addTerms(Table table, KeyPredicate keys, List<Typed> terms) {
        switch (keys) {
            case KeyPredicate.And(List<KeyPredicate> all) ->
                    all.forEach(one -> addTerms(table, one, terms));
            case KeyPredicate.Compare(int keyColumn, Comparison comparison, Typed value) -> {
                int column = table.keyColumns().get(keyColumn);
                var input = new Typed.Input(table.columns().get(column).valueType(), column);
                boolean optional = input.type().isOptional() || value.type().isOptional();
                Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
                terms.add(new Typed.Compare(type, comparison, input, value));
            }
            default -> {}
        }
    }
}
